"""Writes `generated.rs`: derivatives by CasADi, SymForce and wrenfold, as Rust. It needs

    pip install casadi symforce wrenfold

and `cargo run --release --features tools -- forms` has columns for them then.

Each tool differentiates the functions of `functions.py` as its manual says, and shares common subexpressions. What it
has found is written as one statement after the other, so that the same compiler builds all columns.
"""

import pathlib

import casadi
import sympy
import symforce.symbolic as sf
import wrenfold
from wrenfold import code_generation, sym, type_info

import functions

# The functions, each with the numbers of its variables and of its results.
SCALAR = [("rosenbrock", 8, 1), ("black_scholes", 5, 1), ("lennard_jones", 9, 1), ("squared_reprojection", 12, 1)]
SEVERAL = [("quadrotor", 17, 13), ("pollution", 20, 20)]
ALONE = [("heart_dipole", 8, 8), ("propane", 11, 11), ("pollution", 20, 20)]
FORMS = {"jac_only": ALONE} | {form: SCALAR + SEVERAL for form in ["jvp", "vjp", "hess", "hvp"]}


class Number:
    """An expression of a tool, with the operations that the functions are written in."""

    def __init__(self, tool, value):
        self.tool, self.value = tool, value

    def lifted(self, other):
        return other.value if isinstance(other, Number) else self.tool.constant(other)

    def __add__(self, other):
        return Number(self.tool, self.value + self.lifted(other))

    def __sub__(self, other):
        return Number(self.tool, self.value - self.lifted(other))

    def __rsub__(self, other):
        return Number(self.tool, self.lifted(other) - self.value)

    def __mul__(self, other):
        return Number(self.tool, self.value * self.lifted(other))

    def __rmul__(self, other):
        return Number(self.tool, self.lifted(other) * self.value)

    def __radd__(self, other):
        return Number(self.tool, self.lifted(other) + self.value)

    def __truediv__(self, other):
        return Number(self.tool, self.value / self.lifted(other))

    def __rtruediv__(self, other):
        return Number(self.tool, self.lifted(other) / self.value)

    def __neg__(self):
        return Number(self.tool, -self.value)

    def __getattr__(self, name):
        return lambda: Number(self.tool, self.tool.FUNCTIONS[name](self.value))


class Casadi:
    NAME = "casadi"
    FUNCTIONS = {"sqrt": casadi.sqrt, "sin": casadi.sin, "cos": casadi.cos, "tanh": casadi.tanh, "exp": casadi.exp, "ln": casadi.log}
    BINARY = {casadi.OP_ADD: "+", casadi.OP_SUB: "-", casadi.OP_MUL: "*", casadi.OP_DIV: "/"}
    UNARY = {
        casadi.OP_NEG: "-{}", casadi.OP_SQ: "{0} * {0}", casadi.OP_TWICE: "2.0 * {}", casadi.OP_INV: "1.0 / {}",
        casadi.OP_SQRT: "{}.sqrt()", casadi.OP_SIN: "{}.sin()", casadi.OP_COS: "{}.cos()", casadi.OP_TANH: "{}.tanh()",
        casadi.OP_EXP: "{}.exp()", casadi.OP_LOG: "{}.ln()",
    }

    def variables(self, name, count):
        return [casadi.SX.sym(f"{name}{i}") for i in range(count)]

    def constant(self, number):
        return number

    def jacobian(self, results, x):
        matrix = casadi.jacobian(casadi.vertcat(*results), casadi.vertcat(*x))
        return [[matrix[i, j] for j in range(len(x))] for i in range(len(results))]

    def tangent(self, results, x, along):
        return casadi.vertsplit(casadi.jtimes(casadi.vertcat(*results), casadi.vertcat(*x), casadi.vertcat(*along)))

    def adjoint(self, results, x, across):
        return casadi.vertsplit(casadi.jtimes(casadi.vertcat(*results), casadi.vertcat(*x), casadi.vertcat(*across), True))

    def hessian(self, result, x):
        matrix, gradient = casadi.hessian(result, casadi.vertcat(*x))
        return casadi.vertsplit(gradient), [[matrix[i, j] for j in range(len(x))] for i in range(len(x))]

    def hessian_product(self, result, x, along):
        gradient = casadi.gradient(result, casadi.vertcat(*x))
        return casadi.vertsplit(gradient), casadi.vertsplit(casadi.jtimes(gradient, casadi.vertcat(*x), casadi.vertcat(*along)))

    def written(self, inputs, outputs):
        expressions = casadi.cse(casadi.densify(casadi.vertcat(*[casadi.SX(value) for value, _ in outputs])))
        function = casadi.Function("f", [casadi.vertcat(*[symbol for symbol, _ in inputs])], [expressions])
        held, lines = {}, []
        for number in range(function.n_instructions()):
            operation, to, of = function.instruction_id(number), function.instruction_output(number), function.instruction_input(number)
            if operation == casadi.OP_INPUT:
                held[to[0]] = inputs[of[1]][1]
            elif operation == casadi.OP_CONST:
                held[to[0]] = literal(function.instruction_constant(number))
            elif operation == casadi.OP_OUTPUT:
                lines.append(f"{outputs[to[1]][1]} = {held[of[0]]};")
            else:
                operands = [held[place] for place in of]
                is_binary = operation in self.BINARY
                text = f" {self.BINARY[operation]} ".join(operands) if is_binary else self.UNARY[operation].format(*operands)
                lines.append(f"let t{number} = {text};")
                held[to[0]] = f"t{number}"
        return "\n".join(lines)


class Symbolic:
    """A tool that has derivatives by a variable, of which the forms are sums."""

    def constant(self, number):
        return int(number) if float(number).is_integer() and abs(number) < 1e6 else number

    def jacobian(self, results, x):
        return [[self.derivative(result, variable) for variable in x] for result in results]

    def tangent(self, results, x, along):
        return [functions.total([entry * seed for entry, seed in zip(row, along)]) for row in self.jacobian(results, x)]

    def adjoint(self, results, x, across):
        columns = zip(*self.jacobian(results, x))
        return [functions.total([entry * seed for entry, seed in zip(column, across)]) for column in columns]

    def hessian(self, result, x):
        [gradient] = self.jacobian([result], x)
        return gradient, self.jacobian(gradient, x)

    def hessian_product(self, result, x, along):
        [gradient] = self.jacobian([result], x)
        return gradient, self.tangent(gradient, x, along)


class Symforce(Symbolic):
    NAME = "symforce"
    FUNCTIONS = {"sqrt": sf.sqrt, "sin": sf.sin, "cos": sf.cos, "tanh": sf.tanh, "exp": sf.exp, "ln": sf.log}

    def variables(self, name, count):
        return [sf.Symbol(f"{name}{i}") for i in range(count)]

    def derivative(self, result, variable):
        return sf.S(result).diff(variable)

    def written(self, inputs, outputs):
        names = {symbol.name: name for symbol, name in inputs}
        shared, results = sf.cse([sf.S(value) for value, _ in outputs])
        lines = []
        for number, (symbol, value) in enumerate(shared):
            lines.append(f"let t{number} = {rust(sympy.sympify(value), names)};")
            names[str(symbol)] = f"t{number}"
        lines += [f"{name} = {rust(sympy.sympify(value), names)};" for value, (_, name) in zip(results, outputs)]
        return "\n".join(lines)


class Wrenfold(Symbolic):
    NAME = "wrenfold"
    FUNCTIONS = {
        "sqrt": sym.sqrt, "sin": sym.sin, "cos": sym.cos, "tanh": sym.tanh, "exp": lambda x: sym.pow(sym.E, x), "ln": sym.log,
    }

    def variables(self, name, count):
        return [sym.symbol(f"{name}{i}") for i in range(count)]

    def derivative(self, result, variable):
        return lifted(result).diff(variable)

    def written(self, inputs, outputs):
        description = code_generation.FunctionDescription("f")
        float_type = type_info.ScalarType(type_info.NumericType.Float)
        given = [(symbol, description.add_input_argument(str(symbol), float_type)) for symbol, _ in inputs]
        for number, (value, _) in enumerate(outputs):
            description.add_output_argument(f"o{number}", is_optional=False, value=lifted(value).subs(given))
        function = wrenfold.RustGenerator().generate(code_generation.transpile(description))
        function = function.replace("#[inline]", "#[inline(always)]")
        results = "".join(f"let mut o{number} = 0.0;\n" for number in range(len(outputs)))
        arguments = [name for _, name in inputs] + [f"&mut o{number}" for number in range(len(outputs))]
        stored = "".join(f"{name} = o{number};\n" for number, (_, name) in enumerate(outputs))
        return f"{function}\n{results}f({', '.join(arguments)});\n{stored}"


def lifted(value):
    """A number as an expression of wrenfold."""
    return value if isinstance(value, sym.Expr) else sym.Expr(value)


def literal(number):
    return f"({float(number)!r}f64)"


def rust(expression, names):
    """An expression of SymPy as Rust. Powers are products, roots, and quotients, where they are."""
    if expression.is_Symbol:
        return names[expression.name]
    if expression.is_Number:
        return literal(expression)
    if expression.is_Add:
        return "(" + " + ".join(rust(term, names) for term in expression.args) + ")"
    if expression.is_Mul:
        above = [factor for factor in expression.args if not is_below(factor)]
        below = [rust(1 / factor, names) for factor in expression.args if is_below(factor)]
        product = " * ".join(rust(factor, names) for factor in above) or "1.0f64"
        return f"({product} / ({' * '.join(below)}))" if below else f"({product})"
    if expression.is_Pow:
        base, exponent = rust(expression.base, names), expression.exp
        if is_below(expression):
            return f"(1.0f64 / {rust(1 / expression, names)})"
        whole, half = divmod(int(2 * exponent), 2)
        return "(" + " * ".join([base] * whole + [f"{base}.sqrt()"] * half) + ")"
    name = {"log": "ln"}.get(expression.func.__name__, expression.func.__name__)
    return f"({rust(expression.args[0], names)}).{name}()"


def is_below(factor):
    return factor.is_Pow and factor.exp.is_negative


def code(tool, form, name, variables, results):
    """The parameters of a form's function, and its body."""
    x = tool.variables("x", variables)
    values = [number.value for number in getattr(functions, name)([Number(tool, symbol) for symbol in x])]
    inputs = [(symbol, f"x[{i}]") for i, symbol in enumerate(x)]
    outputs = [(value, f"value[{i}]") for i, value in enumerate(values)]
    parameters = [f"x: &[f64; {variables}]"]

    def seed(symbol, count):
        symbols = tool.variables(symbol, count)
        inputs.extend((entry, f"{entry}".replace(symbol, f"{symbol}[") + "]") for entry in symbols)
        parameters.append(f"{symbol}: &[f64; {count}]")
        return symbols

    def vector(target, entries):
        outputs.extend((entry, f"{target}[{i}]") for i, entry in enumerate(entries))

    def result(target, shape):
        parameters.append(f"{target}: &mut {shape}")

    mirrored = ""
    if form == "jac_only":
        outputs.clear()
        outputs.extend((entry, f"jac[{i}][{j}]") for i, row in enumerate(tool.jacobian(values, x)) for j, entry in enumerate(row))
        result("jac", f"[[f64; {variables}]; {results}]")
    elif form == "jvp":
        along = seed("s", variables)
        vector("along", tool.tangent(values, x, along))
        result("value", f"[f64; {results}]"), result("along", f"[f64; {results}]")
    elif form == "vjp":
        across = seed("s", results)
        vector("across", tool.adjoint(values, x, across))
        result("value", f"[f64; {results}]"), result("across", f"[f64; {variables}]")
    else:
        objective = values[0]
        if results > 1:
            weights = seed("w", results)
            objective = functions.total([weight * value for weight, value in zip(weights, values)])
        if form == "hvp":
            gradient, product = tool.hessian_product(objective, x, seed("s", variables))
            vector("gradient", gradient), vector("product", product)
        else:
            gradient, hessian = tool.hessian(objective, x)
            vector("gradient", gradient)
            outputs.extend((hessian[i][j], f"hessian[{i}][{j}]") for i in range(variables) for j in range(i + 1))
            mirrored = "".join(f"hessian[{j}][{i}] = hessian[{i}][{j}];\n" for i in range(variables) for j in range(i))
        result("value", f"[f64; {results}]"), result("gradient", f"[f64; {variables}]")
        result(*(("product", f"[f64; {variables}]") if form == "hvp" else ("hessian", f"[[f64; {variables}]; {variables}]")))
    return ", ".join(parameters), tool.written(inputs, outputs) + "\n" + mirrored


def main():
    modules = {}
    for form, rows in FORMS.items():
        for name, variables, results in rows:
            columns = []
            for tool in [Casadi(), Symforce(), Wrenfold()]:
                parameters, body = code(tool, form, name, variables, results)
                columns.append(f"#[inline]\npub fn {tool.NAME}({parameters}) {{\n{body}}}\n")
            modules.setdefault(name, []).append(f"pub mod {form} {{\n{''.join(columns)}}}\n")
    text = "".join(f"pub mod {name} {{\n{''.join(forms)}}}\n" for name, forms in modules.items())
    pathlib.Path(__file__).with_name("generated.rs").write_text(text)


main()
