//! The one place where text becomes markup, so that there is one place that escapes.
//!
//! Names of elements and attributes are words of this program; whatever else is written goes through [`escape`]. Nothing
//! here takes markup from a value.

use std::borrow::Cow;
use std::fmt::Write;

use crate::report::Outcome;
use crate::text;

/// Attributes: a name of ours, and a value of anybody's.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a str)];

/// A page that is being written.
#[derive(Default)]
pub(super) struct Markup {
    out: String,
    /// Whose part is being written, where a page has several: no two of its regions may have one name.
    pub(super) of: Option<String>,
}

impl Markup {
    /// An element and what it holds. A tag may name its attributes as a selector does: `td.number`, `th[scope=row]`.
    pub(super) fn within(&mut self, tag: &'static str, inner: impl FnOnce(&mut Markup)) {
        self.within_with(tag, &[], inner);
    }

    /// An element with further attributes, and what it holds.
    pub(super) fn within_with(
        &mut self,
        tag: &'static str,
        attributes: Attributes<'_>,
        inner: impl FnOnce(&mut Markup),
    ) {
        self.open(tag, attributes, ">");
        inner(self);
        let _ = write!(self.out, "</{}>", named(tag).0);
    }

    /// An element that holds text.
    pub(super) fn element(&mut self, tag: &'static str, text: &str) {
        self.within(tag, |m| m.text(text));
    }

    /// An element with further attributes that holds text.
    pub(super) fn element_with(&mut self, tag: &'static str, attributes: Attributes<'_>, text: &str) {
        self.within_with(tag, attributes, |m| m.text(text));
    }

    /// An element that holds nothing.
    pub(super) fn empty(&mut self, tag: &'static str) {
        self.empty_with(tag, &[]);
    }

    /// An element with further attributes that holds nothing.
    pub(super) fn empty_with(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.open(tag, attributes, "/>");
    }

    /// The head of a row: a name of the input, in its own direction.
    pub(super) fn row_head(&mut self, name: &str) {
        self.within("th[scope=row]", |m| m.element("bdi", name));
    }

    /// A shape for who sees it, which no screen reader reads.
    pub(super) fn mark(&mut self, mark: &str) {
        self.element("span[aria-hidden=true]", mark);
    }

    /// An outcome: its shape and a word, in the colour of its tone.
    pub(super) fn outcome(&mut self, tag: &'static str, outcome: Outcome, word: &str) {
        self.within_with(tag, &[("class", &format!("outcome {}", outcome.tone()))], |m| {
            m.mark(outcome.mark());
            m.text(&format!(" {word}"));
        });
    }

    /// A line of a drawing: its ends across, then down.
    pub(super) fn stroke(&mut self, tag: &'static str, [x1, x2, y1, y2]: [&str; 4]) {
        self.empty_with(tag, &[("x1", x1), ("x2", x2), ("y1", y1), ("y2", y2)]);
    }

    /// A box of a drawing: where it is, how wide and how high.
    pub(super) fn area(&mut self, tag: &'static str, [x, y, width, height]: [&str; 4]) {
        self.empty_with(tag, &[("x", x), ("y", y), ("width", width), ("height", height)]);
    }

    /// A point of a drawing, and what it says to who asks.
    pub(super) fn point(&mut self, tag: &'static str, [x, y, radius]: [&str; 3], title: &str) {
        let attributes: Attributes<'_> = &[("cx", x), ("cy", y), ("r", radius)];
        match title {
            "" => self.empty_with(tag, attributes),
            title => self.within_with(tag, attributes, |m| m.element("title", title)),
        }
    }

    /// A remark under a drawing or a table.
    pub(super) fn note(&mut self, text: &str) {
        self.element("p.note", text);
    }

    /// The name of a region, which is one of a suite's where there are several.
    pub(super) fn label(&self, name: &str) -> String {
        self.of.as_ref().map_or_else(|| name.to_owned(), |of| format!("{of}: {name}"))
    }

    /// Text.
    pub(super) fn text(&mut self, text: &str) {
        escape(text, &mut self.out);
    }

    /// A long name, which may be broken behind its underscores.
    pub(super) fn name(&mut self, name: &str) {
        for (at, part) in name.split_inclusive('_').enumerate() {
            if at > 0 {
                self.own("<wbr/>");
            }
            self.text(part);
        }
    }

    /// A new line of the file, where one helps who reads its source.
    pub(super) fn line(&mut self) {
        self.out.push('\n');
    }

    /// Markup of our own, which comes with the program.
    pub(super) fn own(&mut self, markup: &'static str) {
        self.out.push_str(markup);
    }

    /// Data for the page's script, which no browser runs or shows: JSON in which nothing can end the element.
    pub(super) fn data(&mut self, id: &str, value: &impl serde::Serialize) {
        self.open("script", &[("type", "application/json"), ("id", id)], ">");
        let json = serde_json::to_string(value).unwrap_or_else(|_| "null".into());
        for c in json.chars() {
            // These stand in strings alone, where JSON reads an escape as the letter itself.
            match c {
                '<' => self.out.push_str("\\u003c"),
                '>' => self.out.push_str("\\u003e"),
                '&' => self.out.push_str("\\u0026"),
                c => self.out.push(c),
            }
        }
        self.out.push_str("</script>\n");
    }

    /// The page.
    pub(super) fn finish(self) -> String {
        self.out
    }

    fn open(&mut self, tag: &'static str, attributes: Attributes<'_>, end: &str) {
        let (name, mut selector) = named(tag);
        let _ = write!(self.out, "<{name}");
        while let Some((name, value, rest)) = attribute(selector) {
            selector = rest;
            self.attribute(name, &value);
        }
        attributes.iter().for_each(|(name, value)| self.attribute(name, value));
        self.out.push_str(end);
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let _ = write!(self.out, " {name}=\"");
        escape(value, &mut self.out);
        self.out.push('"');
    }
}

/// The name of an element, and the attributes that its tag names.
fn named(tag: &'static str) -> (&'static str, &'static str) {
    tag.split_at(tag.find(['.', '[']).unwrap_or(tag.len()))
}

/// The first attribute of a selector, its value, and the rest: of `.a.b[c=d]` the class `a b`, and `[c=d]`.
fn attribute(selector: &'static str) -> Option<(&'static str, Cow<'static, str>, &'static str)> {
    if let Some(classes) = selector.strip_prefix('.') {
        let (classes, rest) = classes.split_at(classes.find('[').unwrap_or(classes.len()));
        return Some(("class", classes.replace('.', " ").into(), rest));
    }
    let (inside, rest) = selector.strip_prefix('[')?.split_once(']')?;
    let (name, value) = inside.split_once('=').unwrap_or((inside, ""));
    Some((name, value.into(), rest))
}

/// Text as text, in an element or in a quoted attribute.
pub fn escape(plain: &str, out: &mut String) {
    for c in shown(plain).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            c => out.push(c),
        }
    }
}

/// Text that nobody is fooled by; its lines stay lines.
pub(super) fn shown(plain: &str) -> String {
    let lines: Vec<_> = plain.split('\n').map(|line| text::visible(line.trim_end_matches('\r'))).collect();
    lines.join("\n")
}

/// Text of at most so many characters, which says how many it left out.
pub(super) fn clipped(plain: &str, most: usize) -> String {
    match plain.char_indices().nth(most) {
        None => shown(plain),
        Some((end, _)) => {
            let more = plain[end..].chars().count() as u64;
            format!(
                "{} … ({} left out of this page)",
                shown(&plain[..end]),
                text::count(more, "more character")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_input_is_markup() {
        let mut page = Markup::default();
        page.element_with("p", &[("title", "\" onload='x' `")], "</p><script>&\u{202e}\0\r\nend");
        page.data("d", &["</script><!--", "a&b"]);
        assert_eq!(
            page.finish(),
            "<p title=\"&quot; onload=&#39;x&#39; &#96;\">&lt;/p&gt;&lt;script&gt;&amp;\u{fffd}␀\nend</p>\
             <script type=\"application/json\" id=\"d\">[\"\\u003c/script\\u003e\\u003c!--\",\"a\\u0026b\"]</script>\n"
        );
    }

    #[test]
    fn long_text_says_what_it_left_out() {
        assert_eq!(clipped("äöü", 3), "äöü");
        assert_eq!(clipped("äöüß", 3), "äöü … (1 more character left out of this page)");
    }
}
