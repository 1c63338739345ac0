//! Syntax tree to intermediate form: types are checked, `par` branches become functions, and
//! expressions become three-address code. All mistakes of a program are reported.

mod builder;
mod expression;
mod initialiser;
mod parallel;
mod statement;
mod types;

use crate::diagnostic::Diagnostic;
use crate::ir::{
    ExceptionId, Function, FunctionId, Mode, Program, Scalar, Struct, StructId, Type, size_of,
};
use crate::names::Names;
use crate::source::{SourceFile, Span};
use crate::syntax::tree::{self, Expr, ExprKind, FunctionDef, TypeKind, TypeSyntax};
use builder::Builder;
use std::collections::HashMap;

/// A variable may not take more slots than this.
const MAX_SLOTS: u32 = 1 << 20;

/// Checks and translates a program. The result is usable only if no diagnostic was added.
pub fn lower(
    file: SourceFile,
    tree: &tree::Program,
    names: &Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Program {
    let mut lowerer = Lowerer {
        names,
        tree,
        diagnostics,
        structs: Vec::new(),
        struct_ids: HashMap::new(),
        signatures: Vec::new(),
        functions: Vec::new(),
        exceptions: Vec::new(),
    };
    lowerer.structs();
    lowerer.signatures = tree
        .functions
        .iter()
        .map(|f| lowerer.signature(f))
        .collect();
    lowerer.functions = vec![None; tree.functions.len()];
    for (index, function) in tree.functions.iter().enumerate() {
        let lowered = lowerer.function(index, function);
        lowerer.functions[index] = Some(lowered);
    }
    let main = lowerer.main();
    Program {
        file,
        functions: lowerer.functions.into_iter().flatten().collect(),
        main,
        structs: lowerer.structs,
        exceptions: lowerer.exceptions,
    }
}

/// What a caller needs to know of a function.
#[derive(Clone)]
struct Signature {
    name: String,
    span: Span,
    params: Vec<(Type, Mode, String)>,
    result: Type,
}

struct Lowerer<'a> {
    names: &'a Names,
    tree: &'a tree::Program,
    diagnostics: &'a mut Vec<Diagnostic>,
    structs: Vec<Struct>,
    struct_ids: HashMap<String, StructId>,
    signatures: Vec<Signature>,
    /// Functions of the program first, then branches; none while it is being translated.
    functions: Vec<Option<Function>>,
    exceptions: Vec<String>,
}

impl Lowerer<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn structs(&mut self) {
        for def in &self.tree.structs {
            if self.struct_ids.contains_key(&def.name.name) {
                let message = format!("structure `{}` is defined twice", def.name.name);
                let mut error = Diagnostic::error(def.name.span, message, "defined again here");
                let mut all = self.tree.structs.iter().map(|other| &other.name);
                if let Some(first) = all.find(|other| other.name == def.name.name) {
                    error = error.and(first.span, "first defined here");
                }
                self.report(error.help("give one of them another name"));
                continue;
            }
            let mut fields: Vec<(String, Type, u32)> = Vec::new();
            let mut size = 0u32;
            for (ty, declarator) in &def.fields {
                let ty = self.declared_type(ty, &declarator.dims, "a field");
                let name = &declarator.name;
                if fields.iter().any(|(other, ..)| *other == name.name) {
                    let message = format!("field `{}` is declared twice", name.name);
                    let error = Diagnostic::error(name.span, message, "declared again here");
                    self.report(error.help("give one of them another name"));
                }
                fields.push((name.name.clone(), ty.clone(), size));
                size = size.saturating_add(size_of(&self.structs, &ty));
            }
            let id = StructId(self.structs.len() as u32);
            self.structs.push(Struct {
                name: def.name.name.clone(),
                fields,
                size,
            });
            self.struct_ids.insert(def.name.name.clone(), id);
        }
    }

    fn signature(&mut self, def: &FunctionDef) -> Signature {
        let index = self
            .names
            .functions
            .get(&def.name.name)
            .copied()
            .unwrap_or(0);
        let ids = self.names.params.get(index).cloned().unwrap_or_default();
        let params = def.params.iter().enumerate().map(|(position, param)| {
            let channel = param.chan
                || ids
                    .get(position)
                    .is_some_and(|id| self.names.decl(*id).channel);
            let mode = match (channel, param.by_ref) {
                (true, true) => Mode::Writer,
                (true, false) => Mode::Reader,
                (false, true) => Mode::Reference,
                (false, false) => Mode::Value,
            };
            let ty = self.declared_type(&param.ty, &param.declarator.dims, "a parameter");
            (ty, mode, param.declarator.name.name.clone())
        });
        let params = params.collect();
        let result = self.simple_type(&def.result);
        Signature {
            name: def.name.name.clone(),
            span: def.name.span,
            params,
            result,
        }
    }

    fn main(&mut self) -> FunctionId {
        let found = self.names.functions.get("main").copied();
        let Some(index) = found else {
            let end = self
                .tree
                .functions
                .last()
                .map_or(Span::default(), |f| f.name.span);
            let error = Diagnostic::error(
                end,
                "the program has no function `main`",
                "the last function is here",
            );
            if !self.tree.broken.contains("main") {
                self.report(error.help("add `void main() { … }`, where the program begins"));
            }
            return FunctionId(0);
        };
        let signature = self.signatures[index].clone();
        for (position, (_, mode, name)) in signature.params.iter().enumerate() {
            if *mode != Mode::Value {
                let span = self.tree.functions[index].params[position]
                    .declarator
                    .name
                    .span;
                let message = format!("`main` cannot take `{name}` as a channel or by reference");
                let error = Diagnostic::error(span, message, "no function may call `main`");
                self.report(
                    error.help("parameters of `main` are the program's inputs: pass plain values"),
                );
            }
        }
        if signature.result != Type::Void {
            let span = self.tree.functions[index].result.span;
            let error = Diagnostic::error(span, "`main` returns nothing", "this must be `void`");
            self.report(error.help("write `void main(…)`; `print(…)` shows results"));
        }
        FunctionId(index as u32)
    }

    fn function(&mut self, index: usize, def: &FunctionDef) -> Function {
        let signature = self.signatures[index].clone();
        let mut builder = Builder::new(signature.name.clone(), def.name.span);
        let ids = self.names.params.get(index).cloned().unwrap_or_default();
        for (((ty, mode, name), id), param) in signature.params.iter().zip(ids).zip(&def.params) {
            let channel = matches!(mode, Mode::Reader | Mode::Writer);
            let var = builder.variable(name, ty.clone(), channel, param.declarator.name.span);
            builder.params.push(*mode);
            builder.decls.insert(id, var);
        }
        if signature.result != Type::Void {
            builder.result = Some(builder.temporary(signature.result.clone(), def.name.span));
        }
        builder.result_type = signature.result;
        self.stmt(&mut builder, &def.body);
        builder.finish()
    }

    fn simple_type(&mut self, ty: &TypeSyntax) -> Type {
        match &ty.kind {
            TypeKind::Void => Type::Void,
            TypeKind::Bool => Type::Scalar(Scalar::Bool),
            TypeKind::Int { bits, signed } => Type::Scalar(Scalar::Int {
                bits: *bits,
                signed: *signed,
            }),
            TypeKind::Range(low, high) => self.range_type(low, high, ty.span),
            TypeKind::Struct(name) => {
                match self.struct_ids.get(name) {
                    Some(id) => Type::Struct(*id),
                    None if self.tree.broken.contains(name) => Type::Unknown,
                    None => {
                        let error = Diagnostic::error(
                            ty.span,
                            format!("there is no type `{name}`"),
                            "unknown type",
                        );
                        self.report(error.help(
                            "define structures before they are used: `struct name { int x; }`",
                        ));
                        Type::Unknown
                    }
                }
            }
        }
    }

    fn range_type(&mut self, low: &Expr, high: &Expr, span: Span) -> Type {
        let (Some(low), Some(high)) = (self.constant(low), self.constant(high)) else {
            return Type::Unknown;
        };
        if low > high {
            let error = Diagnostic::error(
                span,
                format!("the range from {low} to {high} is empty"),
                "this type",
            );
            self.report(error.help("write the smaller bound first"));
            return Type::Unknown;
        }
        Type::Scalar(Scalar::Range { low, high })
    }

    /// The type of a declared thing, with its dimensions.
    fn declared_type(&mut self, ty: &TypeSyntax, dims: &[Expr], what: &str) -> Type {
        let mut result = self.simple_type(ty);
        if result == Type::Void {
            let error = Diagnostic::error(
                ty.span,
                format!("{what} cannot be `void`"),
                "this type has no values",
            );
            self.report(error.help("use a type with values, such as `int`"));
            return Type::Unknown;
        }
        for dim in dims.iter().rev() {
            match self.constant(dim) {
                Some(count) if count > 0 && count <= MAX_SLOTS as i64 => {
                    result = Type::Array(Box::new(result), count as u32);
                }
                Some(count) => {
                    let error = Diagnostic::error(
                        dim.span,
                        format!("an array cannot have {count} elements"),
                        "this",
                    );
                    self.report(error.help(format!("use 1 to {MAX_SLOTS}")));
                    return Type::Unknown;
                }
                None => return Type::Unknown,
            }
        }
        if size_of(&self.structs, &result) > MAX_SLOTS {
            let error = Diagnostic::error(
                ty.span,
                format!("{what} holds more than {MAX_SLOTS} numbers"),
                "too large",
            );
            self.report(error.help("make it smaller"));
            return Type::Unknown;
        }
        result
    }

    /// The value of an expression that must be known now.
    fn constant(&mut self, expr: &Expr) -> Option<i64> {
        let value = constant_value(expr);
        if value.is_none() {
            let error = Diagnostic::error(
                expr.span,
                "this must be a constant",
                "not known before the program runs",
            );
            self.report(error.help("use numbers and operators only"));
        }
        value
    }

    fn exception(&mut self, name: &str) -> ExceptionId {
        let position = self
            .exceptions
            .iter()
            .position(|other| other == name)
            .unwrap_or_else(|| {
                self.exceptions.push(name.to_string());
                self.exceptions.len() - 1
            });
        ExceptionId(position as u32)
    }

    fn type_name(&self, ty: &Type) -> String {
        type_name(&self.structs, ty)
    }
}

/// A type as written.
pub(crate) fn type_name(structs: &[Struct], ty: &Type) -> String {
    match ty {
        Type::Scalar(Scalar::Bool) => "bool".into(),
        Type::Scalar(Scalar::Int { bits, signed }) => {
            format!("{}int{bits}", if *signed { "" } else { "u" })
        }
        Type::Scalar(Scalar::Range { low, high }) => format!("int<{low},{high}>"),
        Type::Struct(id) => format!("struct {}", structs[id.index()].name),
        Type::Array(element, count) => format!("{}[{count}]", type_name(structs, element)),
        Type::Void => "void".into(),
        Type::Unknown => "unknown".into(),
    }
}

/// The value of an expression of numbers and operators.
fn constant_value(expr: &Expr) -> Option<i64> {
    let wide = Scalar::Int {
        bits: 64,
        signed: true,
    };
    match &expr.kind {
        ExprKind::Int(value) => i64::try_from(*value).ok(),
        ExprKind::Bool(value) => Some(*value as i64),
        ExprKind::Unary(op, operand) => {
            Some(crate::eval::unary(*op, wide, constant_value(operand)?))
        }
        ExprKind::Binary(op, a, b) => {
            crate::eval::binary(*op, wide, constant_value(a)?, constant_value(b)?)
        }
        _ => None,
    }
}
