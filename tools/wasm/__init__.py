"""Compiles the kernel ahead of time to the WebAssembly module of the package: ``python -m tools.wasm``."""
