"""The benchmark for language models: `lastcard eval` (`docs/eval.md`)."""
