//! The programs of the paper's Table 1 compute the right thing: what they print is computed here
//! another way.

use impasse_shim::runner::RunInputs;

fn run(name: &str) -> Vec<String> {
    let path = format!(
        "{}/../../examples/shim/{name}.shim",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).expect("the program is there");
    let mut lines = Vec::new();
    let mut sink = |line: &str| lines.push(line.to_string());
    let ran = impasse_shim::run(&path, &text, &RunInputs::default(), 50_000_000, &mut sink);
    assert!(matches!(ran, Ok(Ok(_))), "{name} runs");
    lines
}

fn shown<T: ToString>(numbers: impl IntoIterator<Item = T>) -> Vec<String> {
    numbers.into_iter().map(|n| n.to_string()).collect()
}

#[test]
fn the_source_reaches_the_sink() {
    let squares: Vec<i32> = (1..=5).map(|i| i * i).collect();
    let sum: i32 = squares.iter().sum();
    let mut wanted = vec![1000];
    wanted.extend(&squares);
    wanted.extend([2000, 5, sum, sum / 5]);
    assert_eq!(run("source_sink"), shown(wanted));
}

#[test]
fn the_pipeline_keeps_the_order() {
    assert_eq!(run("pipeline"), shown(1..=10));
}

#[test]
fn the_sieve_finds_primes() {
    let prime = |n: &u32| (2..*n).all(|d| !n.is_multiple_of(d));
    let primes: Vec<u32> = (2..=45).filter(prime).collect();
    assert_eq!(run("sieve"), shown(&primes));
}

#[test]
fn packets_arrive_with_their_sums() {
    let mut wanted = Vec::new();
    for (length, seed) in [(3, 5), (1, 11), (6, 7)] {
        let sum = (1..=length).fold(0, |sum, i| (sum + seed * i % 97) % 256);
        wanted.extend([length, length, sum]);
    }
    let mut found: Vec<i32> = run("berkeley")
        .iter()
        .map(|line| line.parse().expect("a number"))
        .collect();
    // Two tasks print, each its own log.
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
}

#[test]
fn the_filter_filters() {
    let taps = [1, 3, 5, 3, 1];
    let sample = |i: usize| match i {
        0..6 => 10,
        11 => 100,
        17.. => 60,
        _ => 0,
    };
    let filtered = (0..24).map(|i| {
        let terms = taps.iter().enumerate().filter(|(k, _)| *k <= i);
        terms.map(|(k, tap)| tap * sample(i - k)).sum::<i32>()
    });
    let filtered: Vec<i32> = filtered.collect();
    let above = filtered.iter().filter(|value| **value > 500).count();
    let total: i32 = (0..24).map(sample).sum();
    let mut wanted = shown(filtered.iter().map(|value| value.min(&500)));
    wanted.push(format!("clipped {above} sum {total}"));
    assert_eq!(run("fir"), wanted);
}

#[test]
fn the_network_sorts() {
    let mut numbers = [23, 7, 99, 42, 4, 16, 8, 15];
    numbers.sort_unstable();
    let mut wanted = shown(numbers);
    wanted.push(format!("sum {}", numbers.iter().sum::<i32>()));
    assert_eq!(run("bitonic_sort"), wanted);
}

/// Every order of eight numbers that are 0 or 1 is enough for a network of comparators.
#[test]
fn the_network_sorts_all_zeros_and_ones() {
    let path = format!(
        "{}/../../examples/shim/bitonic_sort.shim",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).expect("the program is there");
    for pattern in 0..256u32 {
        let mut changed = text.clone();
        for (position, number) in [23, 7, 99, 42, 4, 16, 8, 15].into_iter().enumerate() {
            let bit = pattern >> position & 1;
            let (from, to) = (
                format!("source({number}, s0{position})"),
                format!("source({bit}, s0{position})"),
            );
            assert!(changed.contains(&from));
            changed = changed.replace(&from, &to);
        }
        let mut lines = Vec::new();
        let mut sink = |line: &str| lines.push(line.to_string());
        let ran = impasse_shim::run(&path, &changed, &RunInputs::default(), 1_000_000, &mut sink);
        assert!(matches!(ran, Ok(Ok(_))));
        let ones = pattern.count_ones() as usize;
        let mut wanted = shown(vec![0; 8 - ones]);
        wanted.extend(shown(vec![1; ones]));
        wanted.push(format!("sum {ones}"));
        assert_eq!(lines, wanted, "{pattern:08b}");
    }
}

/// A line as Bresenham's algorithm draws it.
fn draw(frame: &mut [[u8; 640]; 480], (x0, y0): (i32, i32), (x1, y1): (i32, i32), colour: u8) {
    let (dx, dy) = ((x1 - x0).abs(), -(y1 - y0).abs());
    let (sx, sy) = ((x1 - x0).signum(), (y1 - y0).signum());
    let (mut x, mut y, mut error) = (x0, y0, dx + dy);
    loop {
        frame[y as usize][x as usize] = colour;
        if (x, y) == (x1, y1) {
            return;
        }
        let twice = 2 * error;
        if twice >= dy {
            error += dy;
            x += sx;
        }
        if twice <= dx {
            error += dx;
            y += sy;
        }
    }
}

#[test]
fn the_frame_buffer_shows_the_picture() {
    let mut frame = [[0u8; 640]; 480];
    let corners = [(0, 0), (639, 0), (639, 479), (0, 479), (0, 0)];
    for pair in corners.windows(2) {
        draw(&mut frame, pair[0], pair[1], 1);
    }
    draw(&mut frame, (1, 1), (638, 478), 2);
    draw(&mut frame, (638, 1), (1, 478), 2);
    for i in 0..8 {
        draw(&mut frame, (320, 400), (40 + 80 * i, 60), 3);
    }
    let pixels = || frame.iter().flatten().map(|colour| *colour as i64);
    let mut wanted: Vec<i64> = (0..4)
        .map(|colour| pixels().filter(|c| *c == colour).count() as i64)
        .collect();
    wanted.push(pixels().fold(0, |sum, c| (sum * 31 + c) % 1_000_003));
    wanted.push(wanted[1..4].iter().sum());
    assert_eq!(run("framebuffer"), shown(wanted));
}
