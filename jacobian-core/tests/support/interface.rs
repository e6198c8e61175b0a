//! What keeps its order whatever becomes of the others.

use jacobian_core::CodeList;
use jacobian_core::code_list::Statement;

/// Blocks, by the way in which the user wrote them, and what may panic, in order.
pub fn interface(list: &CodeList) -> Vec<String> {
    let mut kept = Vec::new();
    for id in list.ids() {
        match list.statement(id) {
            Statement::Apply { intrinsic, .. } if intrinsic.row().name == "clamp" => kept.push("clamp".to_string()),
            Statement::Block(_) => {
                let block = list.block_of(id);
                kept.push(format!("{} {} {}", block.origin, block.is_kept, block.is_opaque()));
                kept.extend(block.lists().iter().flat_map(|arm| interface(arm)));
            }
            _ => {}
        }
    }
    kept
}
