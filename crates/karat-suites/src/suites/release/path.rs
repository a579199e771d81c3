//! How would a person tell the path of one case, from question to verdict, stage by stage?

use std::fmt::{self, Write};

use super::Run;
use super::cases::{Claim, Row};
use super::looked::Looked;
use super::report::UNSHOWN;
use super::row;
use crate::problem::{self, Problem};
use crate::suites::release::judge::Stage;
use crate::text::{self, shorten, visible};
use crate::wrap::wrap;

/// Every row of this name, one after the other.
pub(super) fn explain(run: &Run<'_>, name: &str) -> Result<String, Problem> {
    let is = |row: &Row| row.id(&run.gold) == name || *run.gold.cases[row.case as usize].id == *name;
    // A name of its own goes before the name of the gold case, which many rows may share.
    let own: Vec<usize> =
        (0..run.judged.len()).filter(|&i| run.cases.rows[i].id(&run.gold) == name).collect();
    let rows: Vec<usize> = if own.is_empty() {
        (0..run.judged.len()).filter(|&i| is(&run.cases.rows[i])).collect()
    } else {
        own
    };
    if rows.is_empty() {
        let message = format!("no case is called \"{}\"", visible(name));
        let mut problem = Problem::of_file(&problem::CASE_UNKNOWN, "karat explain", message);
        let known = run.cases.rows.iter().take(10_000).map(|row| row.id(&run.gold));
        let near = text::nearest(name, known);
        problem.expected = match near.as_slice() {
            _ if run.gold.by_id(name).is_some() => {
                "gold has this case, and no row of the traces is of it".into()
            }
            [] => "expected the `name` or `case_id` of a row of the traces".into(),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        return Err(problem);
    }
    let told: Vec<String> = rows.into_iter().map(|i| Teller::new(run, i).tell()).collect();
    Ok(told.join("\n"))
}

struct Teller<'a> {
    looked: Looked<'a>,
    out: String,
}

impl<'a> Teller<'a> {
    fn new(run: &'a Run<'a>, i: usize) -> Self {
        Teller { looked: Looked::new(run, i), out: String::new() }
    }

    fn tell(mut self) -> String {
        let written = self.all();
        written.map(|()| self.out).unwrap_or_default()
    }

    fn all(&mut self) -> fmt::Result {
        let looked = self.looked;
        let Looked { run, row, judged, .. } = looked;
        let case = &run.gold.cases[row.case as usize];
        let (label, failed) = (judged.verdict.label(), judged.verdict.stage());
        let trace = run.trace_of(row.position.source).unwrap_or_default();
        writeln!(self.out, "{}  {}", label.name(), visible(row.id(&run.gold)))?;
        self.line("is", looked.kind())?;
        self.line("stands in", &format!("{trace}:{}, gold in {}:{}", row.line, run.gold.name, case.line))?;
        self.line("asked", &case.question)?;
        self.line("asked by", &looked.asker())?;
        self.line("needs", &looked.needs())?;
        writeln!(self.out)?;

        let line = run.line_of(row);
        let said = line.as_deref().map(row::Row::read).filter(|said| said.wrong.is_empty());
        for stage in Stage::ALL.into_iter().filter(|stage| *stage != Stage::Pass) {
            match looked.holds(stage) {
                Some(holds) => {
                    writeln!(self.out, "{} {stage}", if holds { "✓" } else { "✗" })?;
                    self.stage(stage, said.as_ref())?;
                }
                None => writeln!(self.out, "· {stage}: not reached")?,
            }
        }
        writeln!(self.out)?;
        match failed {
            Stage::Pass => writeln!(self.out, "Every stage holds: the answer is released."),
            stage => writeln!(
                self.out,
                "First broken: {stage}: {}.\nLook first at {}.",
                stage.meaning(),
                stage.first_fix()
            ),
        }
    }

    fn stage(&mut self, stage: Stage, said: Option<&row::Row<'_>>) -> fmt::Result {
        let looked = self.looked;
        for line in looked.found(stage) {
            self.line("", &line)?;
        }
        let case = &looked.run.gold.cases[looked.row.case as usize];
        match stage {
            Stage::CandidateRetrieval => self.ranks(said, 0, &case.required),
            Stage::ContextSelection => self.ranks(said, 3, &case.required),
            Stage::AnswerFaithfulness => self.claims(said, true, |looked, claim, _| looked.support(claim)),
            Stage::CitationSupport => {
                self.claims(said, false, |looked, claim, cited| looked.citation(claim, cited))
            }
            Stage::Admissibility | Stage::AnswerCompleteness | Stage::Pass => Ok(()),
        }
    }

    /// Where each required source stands in a stage.
    fn ranks(&mut self, said: Option<&row::Row<'_>>, stage: usize, required: &[Box<str>]) -> fmt::Result {
        let Some(said) = said else { return Ok(()) };
        for id in required {
            let rank = said.path.stages[stage].iter().position(|seen| **seen == **id);
            let place = rank.map_or_else(|| "not there".to_owned(), |at| format!("at rank {}", at + 1));
            self.line("", &format!("{id} {place}"))?;
        }
        Ok(())
    }

    /// Each claim with what `why` says of it: whether it holds, and the reason.
    fn claims(
        &mut self,
        said: Option<&row::Row<'_>>,
        with_words: bool,
        why: impl Fn(&Looked<'a>, &Claim, Option<&str>) -> (bool, String),
    ) -> fmt::Result {
        let looked = self.looked;
        if !looked.run.may_show(looked.judged) {
            return self.line("", UNSHOWN);
        }
        for (i, claim) in looked.row.claims.iter().enumerate() {
            let said = said.and_then(|said| said.claims.get(i));
            let (holds, why) = why(&looked, claim, said.and_then(|said| said.citation.as_deref()));
            let id = said.and_then(|said| said.id.as_deref()).unwrap_or("claim");
            let mark = if holds { "✓" } else { "✗" };
            match said.and_then(|said| said.text.as_deref()).filter(|_| with_words) {
                Some(words) => {
                    self.line("", &format!("{mark} {id}: \"{words}\""))?;
                    self.line("", &format!("  {why}"))?;
                }
                None => self.line("", &format!("{mark} {id}: {why}"))?,
            }
        }
        Ok(())
    }

    /// A line under a head, cut to what people read; nothing for an empty text.
    fn line(&mut self, head: &str, line: &str) -> fmt::Result {
        if line.is_empty() {
            return Ok(());
        }
        let indent = 2 + if head.is_empty() { 2 } else { 10 };
        let marked = if line.starts_with(['✓', '✗', ' ']) { 2 } else { 0 };
        let lead = format!("  {head:<width$}", width = indent - 2);
        let text = shorten(line, 600);
        writeln!(self.out, "{}", wrap(&lead, &" ".repeat(indent + marked), &visible(&text)))
    }
}
