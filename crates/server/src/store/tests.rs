//! The store on a file of its own.
