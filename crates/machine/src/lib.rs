//! The abstract machine: memory, instructions, threads, synchronisation, errors
