//! The execute stage: the tool's body, the wrappers around it, and what comes of it.

pub mod body;
pub mod chain;
pub mod context;
pub mod execution;
pub mod failure;
pub mod result;
pub mod retry;
pub mod timeout;
pub mod tool;
pub mod wrapper;

pub use body::BodyContext;
pub use context::{Block, Context};
pub use execution::{Execution, Token};
pub use failure::{Code, Failure};
pub use result::ToolResult;
pub use retry::Retry;
pub use timeout::{Budget, BudgetError, Timeout};
pub use tool::{Catalog, FnTool, Found, Tool};
pub use wrapper::{Next, Wrapper};
