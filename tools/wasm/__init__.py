"""Compiling the kernel ahead, to the WebAssembly module that is part of the package: ``python -m tools.wasm``."""
