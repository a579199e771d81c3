//! How would a person tell the path of one case, from question to verdict, stage by stage?

use std::fmt::{self, Write};

use super::cases::{Claim, Row};
use super::row::{self, Principal};
use super::told::{UNSHOWN, reasons_told};
use super::{Judged, Run};
use crate::judge::release::{Expected, Stage};
use crate::judge::support::supports;
use crate::problem::{self, Problem};
use crate::text::{self, shorten, visible};

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
    run: &'a Run<'a>,
    /// The row's number.
    number: usize,
    row: &'a Row,
    judged: &'a Judged,
    out: String,
}

impl<'a> Teller<'a> {
    fn new(run: &'a Run<'a>, i: usize) -> Self {
        Teller { run, number: i, row: &run.cases.rows[i], judged: &run.judged[i], out: String::new() }
    }

    fn tell(mut self) -> String {
        let written = self.all();
        written.map(|()| self.out).unwrap_or_default()
    }

    fn all(&mut self) -> fmt::Result {
        let Teller { run, row, judged, .. } = *self;
        let case = &run.gold.cases[row.case as usize];
        let (label, failed) = (judged.verdict.label(), judged.verdict.stage());
        let kind = match row.expected {
            Expected::Production => "a production trace: it should be released",
            Expected::Release => "a control that should be released",
            Expected::Block => "a control that should be blocked",
        };
        let trace = run.trace_of(row.position.source).unwrap_or_default();
        writeln!(self.out, "{}  {}", label.name(), visible(row.id(&run.gold)))?;
        self.line("is", kind)?;
        self.line("stands in", &format!("{trace}:{}, gold in {}:{}", row.line, run.gold.name, case.line))?;
        self.line("asked", &case.question)?;
        self.line("asked by", &who(row.principal.as_deref()))?;
        self.line("needs", &format!("sources {}; points {}", names(&case.required), names(&case.points)))?;
        writeln!(self.out)?;

        let line = run.line_of(row);
        let said = line.as_deref().map(row::Row::read).filter(|said| said.wrong.is_empty());
        // An answer without claims fails at completeness before its claims are looked at.
        let empty = failed == Stage::AnswerCompleteness && row.claims.is_empty();
        let of_claims = |stage: Stage| matches!(stage, Stage::AnswerFaithfulness | Stage::CitationSupport);
        for stage in Stage::ALL.into_iter().filter(|stage| *stage != Stage::Pass) {
            if stage == failed {
                writeln!(self.out, "✗ {stage}")?;
                self.stage(stage, said.as_ref())?;
            } else if stage < failed && !(empty && of_claims(stage)) {
                writeln!(self.out, "✓ {stage}")?;
                self.stage(stage, said.as_ref())?;
            } else {
                writeln!(self.out, "· {stage}: not reached")?;
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
        let Teller { run, row, judged, .. } = *self;
        let verdict = &judged.verdict;
        let case = &run.gold.cases[row.case as usize];
        match stage {
            Stage::Admissibility => {
                let touched = text::count(row.traced.len() as u64, "chunk");
                if judged.reasons.is_empty() {
                    let says = format!(
                        "{touched} touched: known, permitted, current; the stages and versions agree"
                    );
                    return self.line("", &says);
                }
                self.line("", &format!("{touched} touched"))?;
                let told = reasons_told(run, self.number);
                for ((reason, _), told) in judged.reasons.iter().zip(told) {
                    self.line("", &format!("{told}: {}", reason.meaning()))?;
                }
                Ok(())
            }
            Stage::CandidateRetrieval => {
                let found = format!(
                    "{} of {} required sources among the candidates",
                    verdict.candidates, verdict.required
                );
                self.line("", &found)?;
                self.ranks(said, 0, &case.required)
            }
            Stage::ContextSelection => {
                let found = format!(
                    "{} of {} required sources in a context of {}",
                    verdict.context, verdict.required, verdict.selected
                );
                self.line("", &found)?;
                self.ranks(said, 3, &case.required)
            }
            Stage::AnswerFaithfulness => {
                self.line(
                    "",
                    &format!(
                        "{} of {} claims supported by a selected chunk",
                        verdict.supported, verdict.claims
                    ),
                )?;
                self.claims(said, true, |teller, claim, _| teller.support(claim))
            }
            Stage::CitationSupport => {
                let found = format!(
                    "{} of {} claims cite a selected chunk that supports them",
                    verdict.well_cited, verdict.claims
                );
                self.line("", &found)?;
                self.claims(said, false, |teller, claim, cited| teller.citation(claim, cited))
            }
            Stage::AnswerCompleteness if row.claims.is_empty() => self.line("", "the answer makes no claim"),
            Stage::AnswerCompleteness => {
                self.line("", &format!("{} of {} required points made", verdict.covered, verdict.points))?;
                let open = run.uncovered(self.number);
                if open.is_empty() {
                    Ok(())
                } else {
                    self.line("", &format!("left out: {}", open.join(", ")))
                }
            }
            Stage::Pass => Ok(()),
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
        why: impl Fn(&Self, &Claim, Option<&str>) -> (bool, String),
    ) -> fmt::Result {
        if !self.run.may_show(self.judged) {
            return self.line("", UNSHOWN);
        }
        let claims: Vec<Claim> = self.row.claims.to_vec();
        for (i, claim) in claims.iter().enumerate() {
            let said = said.and_then(|said| said.claims.get(i));
            let (holds, why) = why(self, claim, said.and_then(|said| said.citation.as_deref()));
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

    fn support(&self, claim: &Claim) -> (bool, String) {
        let Teller { run, row, .. } = *self;
        let phrases = claim.phrases(&run.gold.cases[row.case as usize]);
        if phrases.is_empty() {
            return (false, "nobody named phrases for its point, so nothing can support it".into());
        }
        let supporting = row.selected.iter().find(|id| self.supports(phrases, **id));
        if let Some(id) = supporting {
            return (true, format!("{} holds {}", self.chunk(*id), self.quoted(phrases)));
        }
        let (best, lacks) = row
            .selected
            .iter()
            .map(|&id| (id, self.lacking(phrases, id)))
            .min_by_key(|(_, lacks)| lacks.len())
            .unwrap_or((u32::MAX, phrases.to_vec()));
        (
            false,
            format!(
                "no selected chunk holds all its phrases; {} lacks {}",
                self.chunk(best),
                self.quoted(&lacks)
            ),
        )
    }

    fn citation(&self, claim: &Claim, cited: Option<&str>) -> (bool, String) {
        let Teller { run, row, .. } = *self;
        let phrases = claim.phrases(&run.gold.cases[row.case as usize]);
        let Some(id) = claim.citation else { return (false, "it cites nothing".into()) };
        let name = cited.map_or_else(|| self.chunk(id), str::to_owned);
        if !row.selected.contains(&id) {
            return (false, format!("it cites {name}, which was not selected"));
        }
        if self.supports(phrases, id) {
            return (true, format!("it cites {name}, which supports it"));
        }
        (false, format!("it cites {name}, which lacks {}", self.quoted(&self.lacking(phrases, id))))
    }

    fn supports(&self, phrases: &[u32], id: u32) -> bool {
        let chunk = self.run.store.chunks.get(id as usize).and_then(Option::as_ref);
        chunk.is_some_and(|chunk| supports(phrases, &chunk.found))
    }

    fn lacking(&self, phrases: &[u32], id: u32) -> Vec<u32> {
        phrases.iter().copied().filter(|phrase| !self.supports(&[*phrase], id)).collect()
    }

    fn chunk(&self, id: u32) -> String {
        self.run.cases.chunks.get_index(id as usize).map_or_else(|| "none".into(), ToString::to_string)
    }

    fn quoted(&self, phrases: &[u32]) -> String {
        let texts = phrases.iter().filter_map(|&phrase| self.run.cases.words.get_index(phrase as usize));
        let texts: Vec<String> = texts.map(|phrase| format!("\"{phrase}\"")).collect();
        if texts.is_empty() { "the claim's phrases".into() } else { texts.join(" and ") }
    }

    /// A line under a head, cut to what people read; nothing for an empty text.
    fn line(&mut self, head: &str, line: &str) -> fmt::Result {
        if line.is_empty() {
            return Ok(());
        }
        const WIDTH: usize = 80;
        let indent = 2 + if head.is_empty() { 2 } else { 10 };
        let marked = if line.starts_with(['✓', '✗', ' ']) { 2 } else { 0 };
        let mut at = indent;
        write!(self.out, "  {head:<width$}", width = indent - 2)?;
        for (i, word) in visible(&shorten(line, 600)).split(' ').enumerate() {
            let length = word.chars().count();
            if i > 0 && at + 1 + length > WIDTH {
                write!(self.out, "\n{}", " ".repeat(indent + marked))?;
                at = indent + marked;
            } else if i > 0 {
                self.out.push(' ');
                at += 1;
            }
            self.out.push_str(word);
            at += length;
        }
        writeln!(self.out)
    }
}

fn who(principal: Option<&Principal>) -> String {
    let Some(principal) = principal else { return "nobody: the trace names no principal".into() };
    let user = principal.user.as_deref().map_or_else(|| "no user".to_owned(), |user| format!("user {user}"));
    let groups = if principal.groups.is_empty() {
        String::new()
    } else {
        format!(", groups {}", names(&principal.groups))
    };
    format!("{user}{groups}")
}

fn names(list: &[Box<str>]) -> String {
    list.iter().map(|name| &**name).collect::<Vec<_>>().join(", ")
}
