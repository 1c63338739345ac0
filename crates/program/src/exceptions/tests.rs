use super::*;
use crate::instruction::{CallSiteId, Callee, LandingPadId, Slot};

fn call(landing: Option<u32>, no_unwind: bool) -> CallSite {
    CallSite {
        callee: Callee::Symbol(SymbolId(0)),
        arguments: Vec::new(),
        fixed: 0,
        destination: Slot(0),
        results: Vec::new(),
        landing: landing.map(Position),
        no_unwind,
        returns_twice: false,
    }
}

fn table(sites: Vec<CallSite>, pads: Vec<LandingPad>) -> ExceptionTable {
    let calls = (0..sites.len() as u32).map(|n| Instruction::Call {
        site: CallSiteId(n),
    });
    let landings = (0..pads.len() as u32).map(|n| Instruction::LandingPad {
        destination: Slot(0),
        clauses: LandingPadId(n),
    });
    let body = Body {
        code: calls.chain(landings).collect(),
        sites,
        pads,
        ..Body::default()
    };
    let mut writer = Writer::new(&body, |symbol| match symbol {
        Some(SymbolId(number)) => Word::pointer(0x1000 + number as u64),
        None => Word::number(0),
    });
    writer.pads();
    writer.sites();
    writer.table()
}

fn catch(number: u32) -> Clause {
    Clause::Catch(Some(SymbolId(number)))
}

/// The end of the type table, which the header gives.
fn types_end(table: &ExceptionTable) -> usize {
    let parts = table.bytes[2..7].iter().enumerate();
    7 + parts.fold(0, |sum, (n, &byte)| sum | (byte as usize & 0x7f) << (7 * n))
}

#[test]
fn numbers() {
    let mut bytes = Vec::new();
    for value in [0, 63, 64, -1, -64, -65, 300] {
        signed(&mut bytes, value);
    }
    assert_eq!(bytes, [0, 63, 0xc0, 0, 0x7f, 0x40, 0xbf, 0x7f, 0xac, 2]);
    bytes.clear();
    for value in [0, 127, 128, 300] {
        unsigned(&mut bytes, value);
    }
    assert_eq!(bytes, [0, 127, 0x80, 1, 0xac, 2]);
}

#[test]
fn calls_that_unwind_alike_share_an_entry() {
    let sites = vec![
        call(None, false),
        call(None, false),
        call(Some(5), false),
        call(None, true),
        call(None, false),
    ];
    let pad = LandingPad {
        cleanup: true,
        clauses: Vec::new(),
    };
    let table = table(sites, vec![pad]);
    let entry = |first: u32, length: u32, landing: u32| {
        let numbers = [first, length, landing].map(u32::to_le_bytes);
        [&numbers.concat()[..], &[0]].concat()
    };
    let expected = [entry(0, 2, 0), entry(2, 1, 5), entry(4, 1, 0)].concat();
    assert_eq!(&table.bytes[HEADER..HEADER + expected.len()], expected);
}

#[test]
fn actions_are_chained_in_the_order_of_clauses() {
    let pad = LandingPad {
        cleanup: true,
        clauses: vec![catch(1), Clause::Catch(None), catch(2)],
    };
    let table = table(vec![call(Some(1), false)], vec![pad]);
    let actions = HEADER + 13;
    assert_eq!(table.bytes[actions - 1], 1);
    assert_eq!(&table.bytes[actions..actions + 8], [1, 1, 2, 1, 3, 1, 0, 0]);
    let end = types_end(&table);
    let ty = |number: usize| {
        let at = end - 8 * number;
        u64::from_le_bytes(table.bytes[at..at + 8].try_into().unwrap())
    };
    assert_eq!([ty(1), ty(2), ty(3)], [0x1001, 0, 0x1002]);
    assert_eq!(end % 8, 0);
    assert_eq!(table.pointers, [end as u32 - 24, end as u32 - 8]);
}

#[test]
fn specifications_follow_the_types() {
    let filter = |types: &[u32]| Clause::Filter(types.iter().map(|&n| Some(SymbolId(n))).collect());
    let pads = vec![
        LandingPad {
            cleanup: false,
            clauses: vec![filter(&[1, 2])],
        },
        LandingPad {
            cleanup: false,
            clauses: vec![filter(&[])],
        },
    ];
    let table = table(vec![call(Some(2), false), call(Some(3), false)], pads);
    let end = types_end(&table);
    assert_eq!(&table.bytes[end..], [1, 2, 0, 0]);
    let actions = HEADER + 26;
    assert_eq!(&table.bytes[actions..actions + 4], [0x7f, 0, 0x7c, 0]);
}

#[test]
fn types_have_the_numbers_of_the_table() {
    let pad = LandingPad {
        cleanup: false,
        clauses: vec![catch(1), catch(2)],
    };
    let table = table(vec![call(Some(1), false)], vec![pad]);
    assert_eq!(table.type_number(Word::pointer(0x1001)), 1);
    assert_eq!(table.type_number(Word::pointer(0x1002)), 2);
    assert_eq!(table.type_number(Word::pointer(0x1003)), 3);
}
