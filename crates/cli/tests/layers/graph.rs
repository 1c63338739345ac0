//! Which modules of a crate use which: the crate's files, parsed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::visit::Visit;

/// The modules that each module uses. Modules are named by their paths in the crate.
pub type Uses = BTreeMap<String, BTreeSet<String>>;

/// Reads the modules of the crate whose sources are in a folder; the root module is left out.
pub fn uses(folder: &Path) -> Uses {
    let mut files = BTreeMap::new();
    read(folder, "", &mut files);
    let modules: BTreeSet<String> = files.keys().cloned().collect();
    let used = |(module, file): (String, syn::File)| {
        let mut paths = Paths::new(&module);
        paths.visit_file(&file);
        let named = paths
            .found
            .iter()
            .filter_map(|path| deepest(path, &modules));
        let others = named.filter(|other| !is_family(&module, other)).collect();
        (module, others)
    };
    files.into_iter().map(used).collect()
}

/// All pairs of a module and one that it uses.
pub fn pairs(uses: &Uses) -> impl Iterator<Item = (String, String)> {
    let pair = |(from, to): (&String, &BTreeSet<String>)| {
        let from = from.clone();
        to.clone().into_iter().map(move |to| (from.clone(), to))
    };
    uses.iter().flat_map(pair)
}

/// The sets of two or more modules that use each other, directly or by way of others. Whoever uses
/// a module uses the modules inside it too, because it may re-export what they define.
pub fn cycles(uses: &Uses) -> BTreeSet<BTreeSet<String>> {
    let reached = |start: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(module) = open.pop() {
            let inside = uses.keys().filter(|other| is_inside(module, other));
            for next in uses[module].iter().chain(inside) {
                if reached.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        uses.keys().map(|m| (m, reached(m))).collect();
    let cycle = |module: &&String| {
        let both = |other: &&String| reached[*other].contains(*module);
        let cycle: BTreeSet<String> = reached[*module].iter().filter(both).cloned().collect();
        (cycle.len() > 1).then_some(cycle)
    };
    uses.keys().filter_map(|m| cycle(&m)).collect()
}

/// Parses the files of a module's folder.
fn read(folder: &Path, module: &str, files: &mut BTreeMap<String, syn::File>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let inner = match module {
            "" => name.to_string(),
            module => format!("{module}::{name}"),
        };
        if path.is_dir() {
            read(&path, &inner, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let inner = if name == "mod" {
                module.to_string()
            } else {
                inner
            };
            let is_root = ["lib", "main"].contains(&inner.as_str());
            let is_test = inner.ends_with("::tests");
            if !is_root && !is_test {
                let text = std::fs::read_to_string(&path).expect("a file");
                let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{inner}: {e}"));
                files.insert(inner, file);
            }
        }
    }
}

/// The innermost module on a path.
fn deepest(path: &[String], modules: &BTreeSet<String>) -> Option<String> {
    let lengths = (1..=path.len()).rev();
    let mut outer = lengths.map(|length| path[..length].join("::"));
    outer.find(|module| modules.contains(module))
}

/// Whether a module is another, or lies in it.
fn is_inside(outer: &str, inner: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Whether one of two modules is, or lies in, the other.
fn is_family(a: &str, b: &str) -> bool {
    is_inside(a, b) || is_inside(b, a)
}

/// Collects the paths that a file names, from the root of its crate.
struct Paths {
    /// The module that is visited.
    module: Vec<String>,
    found: BTreeSet<Vec<String>>,
}

impl Paths {
    fn new(module: &str) -> Paths {
        Paths {
            module: module.split("::").map(str::to_string).collect(),
            found: BTreeSet::new(),
        }
    }

    /// Adds a path that begins with `crate`, `super` or `self`; others start at something imported.
    fn add(&mut self, path: &[String]) {
        let Some(first) = path.first() else { return };
        let supers = path.iter().take_while(|part| *part == "super").count();
        let depth = match first.as_str() {
            "crate" => 0,
            "self" | "super" if supers <= self.module.len() => self.module.len() - supers,
            _ => return,
        };
        let named = path
            .iter()
            .skip_while(|p| ["crate", "self", "super"].contains(&p.as_str()));
        let path = self.module[..depth].iter().chain(named).cloned().collect();
        self.found.insert(path);
    }

    fn add_tree(&mut self, before: &mut Vec<String>, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_tree(before, &path.tree);
                before.pop();
            }
            syn::UseTree::Group(group) => {
                group
                    .items
                    .iter()
                    .for_each(|tree| self.add_tree(before, tree));
            }
            syn::UseTree::Name(name) => self.add_name(before, &name.ident),
            syn::UseTree::Rename(name) => self.add_name(before, &name.ident),
            syn::UseTree::Glob(_) => self.add(before),
        }
    }

    fn add_name(&mut self, before: &mut Vec<String>, name: &syn::Ident) {
        if name == "self" {
            return self.add(before);
        }
        before.push(name.to_string());
        self.add(before);
        before.pop();
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.add_tree(&mut Vec::new(), &item.tree);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            self.module.push(item.ident.to_string());
            syn::visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.add(&parts);
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let text = call.tokens.to_string().replace(" :: ", "::");
        let names = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        for name in names.filter(|name| name.contains("::")) {
            let parts: Vec<String> = name.split("::").map(str::to_string).collect();
            self.add(&parts);
        }
        syn::visit::visit_macro(self, call);
    }
}

/// Whether something exists in tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    let mut attributes = attributes.iter().filter(|a| a.path().is_ident("cfg"));
    attributes.any(|a| {
        let tokens = a.meta.require_list().map(|list| list.tokens.to_string());
        tokens.is_ok_and(|tokens| tokens == "test")
    })
}
