//! Content-addressed storage of states and of the components they share
