//! Counts in machine code: the instructions of one function in an assembler text of x86-64 in Intel's syntax.

/// What one call of a function without loops and branches executes.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Floating-point operations; of a packed one, each.
    pub flops: usize,
    /// Instructions that read memory, constants included.
    pub loads: usize,
    /// Instructions that write to memory.
    pub stores: usize,
}

/// What precedes `sd`, `pd`, `ss`, `ps` in the names of floating-point operations.
const OPERATIONS: [&str; 7] = ["add", "sub", "mul", "div", "sqrt", "min", "max"];

/// The operations that one instruction with such an ending is.
const WIDTHS: [(&str, usize); 4] = [("sd", 1), ("pd", 2), ("ss", 1), ("ps", 4)];

/// Counts the instructions of the function with this symbol; none where the text does not have it.
pub fn count(assembly: &str, symbol: &str) -> Option<Counts> {
    let label = format!("{symbol}:");
    let mut lines = assembly.lines().skip_while(|line| *line != label);
    lines.next()?;
    let mut counts = Counts::default();
    for line in lines.take_while(|line| !line.starts_with(".Lfunc_end")) {
        let line = line.trim();
        if !line.starts_with('.') && !line.starts_with('#') && !line.ends_with(':') {
            counts.add(line);
        }
    }
    Some(counts)
}

impl Counts {
    /// Loads and stores.
    pub fn traffic(&self) -> usize {
        self.loads + self.stores
    }

    fn add(&mut self, instruction: &str) {
        let (name, operands) = instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
        self.flops += flops(name);
        let (first, rest) = operands.split_once(',').unwrap_or((operands, ""));
        let (writes, reads) = (first.contains('['), rest.contains('['));
        match name {
            "lea" | "nop" | "call" | "jmp" => {}
            "push" => self.stores += 1,
            "pop" => self.loads += 1,
            _ => {
                self.stores += usize::from(writes && !is_comparison(name));
                // Anything but a move reads what it writes to.
                self.loads += usize::from(reads || writes && !name.starts_with("mov"));
            }
        }
    }
}

fn is_comparison(name: &str) -> bool {
    name.starts_with("cmp") || name.starts_with("test") || name.contains("comis")
}

fn flops(name: &str) -> usize {
    let width = WIDTHS.iter().find_map(|(ending, width)| Some((name.strip_suffix(ending)?, *width)));
    width.filter(|(operation, _)| OPERATIONS.contains(operation)).map_or(0, |(_, width)| width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_counted_by_what_they_do() {
        let assembly = "g:\n\tmulsd\txmm0, xmm1\n.Lfunc_end0:\nf:\n\t.cfi_startproc\n\tpush\trbx\n\tlea\trax, [rdi + 8]\n\
            \tmovsd\txmm0, qword ptr [rsi]\n\tmulpd\txmm0, xmmword ptr [rip + .LCPI0_0]\n\tsqrtsd\txmm1, xmm0\n\
            \tmovaps\txmm2, xmm1\n\tmovupd\txmmword ptr [rdi + 16], xmm0\n\tucomisd\txmm0, qword ptr [rsi]\n\tpop\trbx\n\
            \tret\n.Lfunc_end1:\n\taddsd\txmm0, xmm0\n";
        assert_eq!(count(assembly, "f"), Some(Counts { flops: 3, loads: 4, stores: 2 }));
        assert_eq!(count(assembly, "g"), Some(Counts { flops: 1, loads: 0, stores: 0 }));
        assert_eq!(count(assembly, "h"), None);
    }
}
