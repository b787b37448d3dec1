package webpage

// Style is what all pages look like: light and dark as the reader's system is, readable on
// a phone and on paper. Colours are variables, so that a page's own rules follow.
const Style = `:root { color-scheme: light dark; --ink: #1d2329; --dim: #5c6670; --paper: #ffffff; --card: #f6f7f9; --line: #d5dae0; --link: #0b5cad;
  --good: #14713d; --bad: #b3261e; --mild: #8a6100; --good-back: #dcf3e4; --bad-back: #fbe1df; --mild-back: #fdf0cf; --mark: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --dim: #9aa5b0; --paper: #15191d; --card: #1e2429; --line: #3a434c; --link: #7db8f5;
  --good: #7fd6a1; --bad: #f5978f; --mild: #e9c46a; --good-back: #17382a; --bad-back: #45201e; --mild-back: #3d3214; --mark: #7db8f5 } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.25 } h2 { font-size: 1.25rem; margin-top: 2rem } h3 { font-size: 1.05rem }
a { color: var(--link) } small, .dim { color: var(--dim) }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px }
.wide { overflow-x: auto; margin: 0.5rem 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal }
th { border-bottom: 2px solid var(--line); white-space: nowrap } td.number, th.number { text-align: right; white-space: nowrap }
tr.own td { background: var(--mild-back) }
pre { white-space: pre-wrap; background: var(--card); padding: 0.6rem; border-radius: 0.3rem }
figure { display: inline-block; margin: 0 1rem 1rem 0; max-width: 100% } svg { max-width: 100%; height: auto }
@media print { body { max-width: none; font-size: 10pt } .wide { overflow: visible } a { color: inherit } }
`
