/** The style sheet of the documentation page: paper and ink, or their dark counterparts, with the fonts of the system. */
export const DOCS_STYLE = `
:root{color-scheme:light dark;--paper:#faf7f2;--ink:#23201c;--faint:#6b635a;--line:#ddd5c9;--accent:#0f5c5c;--code:#f0ebe2}
@media (prefers-color-scheme:dark){:root{--paper:#171614;--ink:#ede8e0;--faint:#a69d91;--line:#3a3631;--accent:#6cc5c0;--code:#24211e}}
*{box-sizing:border-box}
body{margin:0 auto;padding:32px 20px 96px;max-width:64rem;background:var(--paper);color:var(--ink);font:15px/1.6 system-ui,sans-serif}
h1{font-size:34px;line-height:1.2;margin:0 0 8px;font-weight:600}
h2{font-size:21px;margin:48px 0 4px;font-weight:600}
p{max-width:42rem;margin:4px 0 16px}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible,.wide:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
nav ul{display:flex;flex-wrap:wrap;gap:4px 20px;padding:0;margin:16px 0 0;list-style:none}
nav a{display:inline-block;min-height:24px}
details{border-block-end:1px solid var(--line)}
summary{padding:8px 0;cursor:pointer}
details[open]{padding-block-end:16px}
code{font:13px/1.5 ui-monospace,monospace;background:var(--code);padding:1px 4px;border-radius:3px;overflow-wrap:anywhere}
.method{display:inline-block;min-width:4.5em;font:600 13px/1.5 ui-monospace,monospace;color:var(--accent)}
.what{color:var(--faint)}
.wide{overflow-x:auto;margin:8px 0}
table{border-collapse:collapse;inline-size:100%}
caption{text-align:start;font-weight:600;padding:8px 0 4px}
th,td{text-align:start;vertical-align:top;padding:6px 16px 6px 0;border-block-start:1px solid var(--line);font-weight:400}
thead th{color:var(--faint);font-size:13px;border:0}
small{color:var(--faint)}
`;
