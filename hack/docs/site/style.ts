/** Style sheet of the site: light and dark, with one column on narrow screens. */
export const style = `:root {
  color-scheme: light dark;
  --text: light-dark(#1c2024, #e6e8eb);
  --soft: light-dark(#5c6570, #a3abb5);
  --back: light-dark(#ffffff, #14171a);
  --side: light-dark(#f5f7f9, #1b1f24);
  --line: light-dark(#dfe3e8, #30363d);
  --link: light-dark(#0b5cad, #7cb7ff);
}
* { box-sizing: border-box; }
body {
  margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 52rem) 14rem; gap: 0 2.5rem;
  color: var(--text); background: var(--back); font: 16px/1.6 system-ui, sans-serif;
}
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--back); padding: .5rem; }
nav, aside { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1.5rem 1rem; font-size: .9rem; }
nav { background: var(--side); border-right: 1px solid var(--line); min-height: 100vh; }
nav .home { font-weight: 700; color: var(--text); font-size: 1.05rem; }
nav h2, aside h2 {
  font-size: .75rem; letter-spacing: .04em; text-transform: uppercase; color: var(--soft); margin: 1.5rem 0 .3rem;
}
nav ul, aside ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .15rem .5rem; margin: 0 -.5rem; border-radius: .3rem; color: var(--text); }
nav li a[aria-current] { background: var(--line); font-weight: 600; }
main { padding: 2rem 0 6rem; }
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 1rem; }
main h2 { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
pre, .table { overflow: auto; border: 1px solid var(--line); border-radius: .4rem; }
pre { background: var(--side); padding: .8rem 1rem; font-size: .85rem; line-height: 1.5; }
pre.output { margin-top: calc(-1rem - 1px); border-style: dashed; background: none; border-top-left-radius: 0; border-top-right-radius: 0; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:not(pre) > code { background: var(--side); padding: .1em .3em; border-radius: .25rem; font-size: .9em; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .7rem; border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
th { background: var(--side); }
img { max-width: 100%; height: auto; }
@media (max-width: 76rem) { body { grid-template-columns: 16rem minmax(0, 1fr); } aside { display: none; } main { padding-right: 1.5rem; } }
@media (max-width: 48rem) {
  body { display: block; }
  nav { position: static; max-height: none; min-height: 0; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem 1rem 4rem; }
}
`
