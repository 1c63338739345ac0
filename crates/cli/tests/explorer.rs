//! `--html`: the explorer's page in a browser, without a network. What a user does is a script that
//! is added to the page: it presses keys and clicks, and what the page shows then is read.

mod common;

use common::{impasse, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A page in a folder of its own.
struct Page {
    folder: TempDir,
    path: PathBuf,
}

impl Page {
    /// The page of the error of an example.
    fn of(example: &str, options: &[&str]) -> Page {
        let file = root().join("examples").join(example).display().to_string();
        Page::written_by("check", &file, options)
    }

    fn written_by(command: &str, file: &str, options: &[&str]) -> Page {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        let target = path.display().to_string();
        let words = [command, file, "--html", &target].into_iter();
        let output = impasse(words.chain(options.iter().copied()));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(path.exists(), "{said}");
        Page { folder, path }
    }

    /// What a script returns, that is executed in the page once it is shown. It may use
    /// `press(KEY)`, `click(SELECTOR)`, `all(SELECTOR)` and `text(SELECTOR)`.
    fn after(&self, hash: &str, width: u32, script: &str) -> String {
        const TOOLS: &str = "
            const one = (selector) => document.querySelector(selector);
            const all = (selector) => [...document.querySelectorAll(selector)];
            const text = (selector) => one(selector)?.textContent ?? 'nothing';
            const press = (key, more = {}) => (document.activeElement ?? document.body).dispatchEvent(
                new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
            const click = (selector) => one(selector).dispatchEvent(new MouseEvent('click', { bubbles: true }));
            const selected = () => text('.row[aria-selected=true] .what');";
        let page = fs::read_to_string(&self.path).expect("a page");
        let added = format!(
            "<pre id=\"answer\"></pre><script>addEventListener('load', () => {{ {TOOLS}
            let answer; try {{ answer = (() => {{ {script} }})(); }} catch (error) {{ answer = `failed: ${{error.stack}}`; }}
            document.getElementById('answer').textContent = answer; }});</script></body>"
        );
        let driven = self.folder.path().join("driven.html");
        fs::write(&driven, page.replace("</body>", &added)).expect("the page is written");
        let shown = in_browser(&driven, hash, width);
        let answer = shown.split("<pre id=\"answer\">").nth(1);
        let answer = answer.and_then(|rest| rest.split("</pre>").next());
        let answer = answer
            .unwrap_or_default()
            .replace("&gt;", ">")
            .replace("&lt;", "<");
        answer.replace("&amp;", "&")
    }
}

/// A page as Chromium shows it.
fn in_browser(page: &Path, hash: &str, width: u32) -> String {
    let mut chromium = Command::new("chromium");
    let profile = page.with_extension("profile");
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    chromium.arg(format!("--window-size={width},800"));
    chromium.arg(format!("--user-data-dir={}", profile.display()));
    chromium.arg(format!("file://{}{hash}", page.display()));
    let output = chromium
        .output()
        .expect("the package chromium is installed");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_page_needs_no_network_and_shows_the_error_first() {
    let page = Page::of("lock-order.c", &[]);
    let text = fs::read_to_string(&page.path).expect("a page");
    for word in ["src=", "<link", "@import", "url(http", "fetch("] {
        assert!(!text.contains(word), "{word}");
    }
    let answer = page.after(
        "",
        1400,
        "return [text('#kind'), text('#message'), selected(), text('.line.failed .text').trim(),
            all('.line .at b').map((it) => it.textContent).join(' ')].join('|');",
    );
    assert_eq!(
        answer,
        "hang|thread 1 can never lock checking|hang: thread 1 can never lock checking|\
         pthread_mutex_lock(&checking);|T1 T2 main"
    );
}

#[test]
fn keys_buttons_clicks_and_addresses_lead_to_steps() {
    let page = Page::of("lock-order.c", &[]);
    let answer = page.after(
        "#step=2",
        1400,
        "const seen = [selected()];
        press('ArrowDown'); seen.push(selected(), location.hash);
        press('k'); seen.push(selected());
        press('End'); press('ArrowLeft'); seen.push(selected());
        press('Home'); seen.push(selected());
        click('#next'); seen.push(selected());
        click('#culprit'); seen.push(one('#number').value);
        click('#step-4 .what'); seen.push(selected());
        location.hash = '#step=3'; dispatchEvent(new Event('hashchange')); seen.push(selected());
        return seen.join('|');",
    );
    assert_eq!(
        answer,
        "starts thread 2 in withdraw|locks savings|#step=3|starts thread 2 in withdraw|locks savings|\
         starts thread 1 in deposit|starts thread 2 in withdraw|5|locks checking|locks savings"
    );
}

#[test]
fn a_hang_has_blocked_stretches_reasons_locks_and_a_wait_for_graph() {
    let page = Page::of("lock-order.c", &[]);
    let answer = page.after(
        "",
        1400,
        "const seen = [all('.blocked').length, all('#hang .node').length, all('#hang .wait.cyclic').length];
        seen.push(all('#locks tr').map((it) => it.textContent).join(', '));
        press('w'); press('w'); seen.push(text('#explanation h2'), text('#explanation ul'));
        click('#explanation .since .link'); seen.push(selected());
        return seen.join('|');",
    );
    let parts: Vec<&str> = answer.split('|').collect();
    assert_eq!(parts[..3], ["3", "3", "2"], "{answer}");
    assert_eq!(
        parts[3],
        "checkingheld by thread 2awaited by thread 1, savingsheld by thread 1awaited by thread 2, \
         thread 1awaited by main",
        "{answer}"
    );
    assert_eq!(parts[4], "Why thread 1 is blocked here");
    assert!(
        parts[5].contains("thread 2 has locked checking at step 4"),
        "{answer}"
    );
    assert!(parts[5].contains("none can continue"), "{answer}");
    assert_eq!(parts[6], "locks checking");
}

#[test]
fn three_clicks_lead_to_the_culprit() {
    let page = Page::of("lock-order.c", &[]);
    // The error is shown; why does thread 1 wait? Who holds the lock, and where did it lock it?
    let answer = page.after(
        "",
        1400,
        "click('.ask[data-thread=\"1\"]'); click('#explanation .since .link');
        return text('.line.current .no') + text('.line.current .text');",
    );
    assert_eq!(answer, "23    pthread_mutex_lock(&checking);");
}

#[test]
fn memory_shows_what_changes_and_arrows_where_values_come_from() {
    let page = Page::of("lost-update.cpp", &[]);
    let answer = page.after(
        "#step=5",
        1400,
        "const seen = [selected(), text('#memory tr.changed td'), text('#memory tr.changed s')];
        press('ArrowUp'); seen.push(all('#memory tr.changed').length, text('#memory td'));
        click('#step-9 .what'); seen.push(text('.related'), all('.arrow.reads-from.chosen').length);
        seen.push(all('.arrow.starts').length);
        return seen.join('|');",
    );
    assert_eq!(
        answer,
        "writes counter: 0 becomes 1|01|0|0|0|reads what was written by thread 2 at step 6|1|2"
    );
}

/// Thread 1 waits for the lock while thread 2 has it.
const HAND_OVER: &str = "#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;
static void *work(void *it)
{
    pthread_mutex_lock(&lock);
    if (!first)
        first = (int)(long)it;
    else
        second = (int)(long)it;
    assert(second != 1);
    pthread_mutex_unlock(&lock);
    return it;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)1);
    pthread_create(&b, 0, work, (void *)2);
    pthread_join(b, 0);
    pthread_join(a, 0);
}
";

#[test]
fn wake_ups_and_hand_overs_are_arrows() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("a.c");
    fs::write(&source, HAND_OVER).expect("the file is written");
    let page = Page::written_by("check", &source.display().to_string(), &[]);
    let answer = page.after(
        "",
        1400,
        "return all('.arrow.hands-over title').map((it) => it.textContent).join();",
    );
    assert_eq!(answer, "thread 2 (step 7) hands over to thread 1 (step 8)");
    let page = Page::of("lost-update.cpp", &[]);
    let answer = page.after("", 1400, "return all('.arrow.wakes').length;");
    assert_eq!(answer, "1");
}

#[test]
fn threads_objects_and_kinds_are_filters() {
    let page = Page::of("lost-update.cpp", &[]);
    let answer = page.after(
        "",
        1400,
        "const count = () => all('.row').length;
        const seen = [count()];
        click('#threads [data-thread=\"1\"]'); seen.push(count()); press('1'); seen.push(count());
        const box = one('[data-kind=reads]'); box.click(); seen.push(count()); box.click();
        one('#object').value = 'counter'; one('#object').dispatchEvent(new Event('input')); seen.push(count());
        return seen.join('|');",
    );
    assert_eq!(answer, "10|8|10|7|6");
}

#[test]
fn a_cycle_shows_the_states_it_passes_through() {
    let page = Page::of("retry.c", &[]);
    let answer = page.after(
        "",
        1400,
        "const seen = [all('.row.repeats').length > 3, /leads back to step \\d+/.test(text('#hang'))];
        press('ArrowDown'); seen.push(one('.row[aria-selected=true]').classList.contains('repeats'));
        return seen.join('|');",
    );
    assert_eq!(answer, "true|true|true");
}

#[test]
fn delayed_stores_and_locals_are_shown() {
    let source = root().join("tests/memory-model/programs/structure/chase-lev.c");
    let source = source.display().to_string();
    let page = Page::written_by("check", &source, &["--memory-model", "tso"]);
    let answer = page.after(
        "#step=5",
        1400,
        "return [text('#buffers code'), text('#stacks table')].join('|');",
    );
    assert_eq!(answer, "items[0] = 0|threads[0]thread 1threads[1]thread 2");
}

#[test]
fn a_narrow_screen_shows_one_pane_at_a_time() {
    let page = Page::of("lock-order.c", &[]);
    let answer = page.after(
        "",
        500,
        "const visible = () => ['source', 'timeline', 'state'].filter((it) => one(`#${it}`).clientHeight > 0).join();
        const seen = [visible()];
        click('[data-tab=state]'); seen.push(visible());
        press('1', { altKey: true }); seen.push(visible());
        seen.push(document.documentElement.scrollWidth <= innerWidth);
        return seen.join('|');",
    );
    assert_eq!(answer, "timeline|state|source|true");
}

#[test]
fn ten_thousand_steps_are_no_burden() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("long.c");
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n;\n\
        static void *work(void *it)\n{\n    for (int k = 0; k < 5000; k++)\n        n++;\n    return it;\n}\n\
        int main(void)\n{\n    pthread_t a;\n    pthread_create(&a, 0, work, 0);\n    work(0);\n    \
        pthread_join(a, 0);\n    assert(n == 0);\n}\n";
    fs::write(&source, text).expect("the file is written");
    let options = [
        "--schedule",
        "random",
        "--runs",
        "1",
        "--max-steps",
        "50000",
    ];
    let page = Page::written_by("run", &source.display().to_string(), &options);
    let size = fs::metadata(&page.path).expect("a page").len();
    assert!(size < 8_000_000, "{size} bytes");
    let answer = page.after(
        "",
        1400,
        "const begin = performance.now(), total = Number(one('#number').max);
        for (let n = 0; n < 20; n++) press('ArrowUp');
        press('Home'); press('End');
        const time = performance.now() - begin;
        return [total > 10000, all('.row').length < 100, time < 4000 || time, selected()].join('|');",
    );
    assert_eq!(
        answer,
        "true|true|true|assertion: assertion `n == 0` failed"
    );
}

#[test]
fn the_page_of_several_checks_leads_to_each_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = "[check.broken]\nfiles = \"a.c\"\nflags = \"-DN=2\"\n\
                   [check.right]\nfiles = \"a.c\"\nflags = \"-DN=1\"\n";
    let source = "#include <assert.h>\nint main(void) { assert(N == 1); return 0; }\n";
    for (name, text) in [("impasse.toml", project), ("a.c", source)] {
        fs::write(folder.path().join(name), text).expect("it is written");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_impasse"))
        .args(["check", "--html", "page.html"])
        .env("IMPASSE_HOME", root())
        .current_dir(folder.path())
        .output()
        .expect("the tool starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let path = folder.path().join("page.html");
    let page = Page { folder, path };
    let rows = "return all('tbody tr').map((it) => it.textContent).join(' | ');";
    let rows = page.after("", 1000, rows);
    assert_eq!(
        rows,
        "brokenerrorassertion at a.c:2: assertion `N == 1` failed | rightverified2 states"
    );
    let answer = page.after(
        "#check=0",
        1000,
        "const shows = one('iframe').srcdoc.includes('`N == 1` failed');
        return [shows, one('main').hidden, one('#back').hidden].join(' ');",
    );
    assert_eq!(answer, "true true false");
    // There is no error to show.
    let answer = page.after("#check=1", 1000, "return one('main').hidden;");
    assert_eq!(answer, "false");
}

#[test]
fn the_page_of_a_loop_marks_it_in_the_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, path) = (folder.path().join("a.c"), folder.path().join("page.html"));
    let source = "int main(void)\n{\n    int n = 1;\n    while (n)\n        n = -n;\n}\n";
    fs::write(&file, source).expect("it is written");
    let (file, target) = (file.display().to_string(), path.display().to_string());
    let output = impasse(["loops", &file, "--html", &target]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = Page { folder, path };
    let answer = page.after(
        "",
        1000,
        "const lines = (row) => all(row).map((it) => it.querySelector('.no').textContent).join();
        return [text('.verdict'), lines('tr.header'), lines('tr.cycle')].join(' ');",
    );
    assert_eq!(answer, "nonterminating 4 4,5");
}

#[test]
fn a_page_without_an_error_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (page, source) = (
        folder.path().join("page.html"),
        root().join("examples/hello.cpp"),
    );
    let (page, source) = (page.display().to_string(), source.display().to_string());
    let output = impasse(["check", &source, "--html", &page]);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("was not written: there is no trace to show"),
        "{said}"
    );
    assert!(!Path::new(&page).exists());
    let output = impasse([
        "check",
        &root().join("examples/lock-order.c").display().to_string(),
        "--html",
        "/no/folder/page.html",
    ]);
    assert_eq!(output.status.code(), Some(2));
}
