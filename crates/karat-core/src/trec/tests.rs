use super::layout::layout;
use super::measures::{Over, of_all, of_topics};
use super::*;
use crate::problem::Problem;
