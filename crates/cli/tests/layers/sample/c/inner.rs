use super::super::a;
