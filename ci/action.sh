#!/usr/bin/env bash
# What the GitHub Action does once karat is installed: run it, annotate, keep the reports, say the verdict.
#
#   KARAT_ARGS     the call, in words as a shell splits them (quotes count, nothing is expanded); default: check
#   KARAT_CONFIG   a karat.toml to check; default: the one in the working folder
#   KARAT_REPORTS  the folder for the reports; default: karat-report
#
# Writes verdict= (SHIP, NO-SHIP, INCONCLUSIVE; ERROR where nothing could be scored) and report= to $GITHUB_OUTPUT.
# karat itself appends the Markdown report to $GITHUB_STEP_SUMMARY. Ends as karat ends: 0, 1 or 2.
set -uo pipefail

# Said first, so that later steps know what to think of a call that never came so far.
say() {
  if [ -n "${GITHUB_OUTPUT:-}" ]; then printf 'verdict=%s\nreport=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; fi
}
say ERROR ''

reports=${KARAT_REPORTS:-karat-report}
mkdir -p -- "$reports" || exit 2

# xargs splits as a shell does and runs nothing: no input of the action is ever evaluated.
words=$(printf '%s\n' "${KARAT_ARGS:-check}" | xargs -n 1 printf '%s\n') || {
  echo '::error title=karat::the input args cannot be split into words: is a quote missing?'
  exit 2
}
mapfile -t args <<<"$words"
if [ -n "${KARAT_CONFIG:-}" ]; then args+=(--config "$KARAT_CONFIG"); fi

rm -f -- "$reports"/report.{html,json,md,junit.xml,sarif} # what an earlier step left is no result of this one
out=()
for ending in html json md junit.xml sarif; do out+=(--out "$reports/report.$ending"); done

status=0
karat "${args[@]}" --format github "${out[@]}" || status=$?

verdict=ERROR
if [ -f "$reports/report.json" ]; then
  found=$(sed -n 's/^  "verdict": "\([A-Z-]*\)",*$/\1/p' "$reports/report.json" | head -n 1)
  verdict=${found:-ERROR}
fi
if [ "$status" -gt 1 ]; then verdict=ERROR; fi
say "$verdict" "$reports"
exit "$status"
