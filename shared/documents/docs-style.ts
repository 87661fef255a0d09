/** The style sheet of the documentation page: paper and ink, or their dark counterparts, with the fonts of the system. */
export const DOCS_STYLE = `
:root{color-scheme:light dark;--paper:#faf7f2;--side:#f3eee6;--ink:#23201c;--faint:#655d54;--line:#ddd5c9;--accent:#0f5c5c;--code:#f0ebe2}
@media (prefers-color-scheme:dark){:root{--paper:#171614;--side:#1d1b19;--ink:#ede8e0;--faint:#a69d91;--line:#3a3631;--accent:#6cc5c0;--code:#24211e}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-block-start:12px}
body{margin:0;display:grid;grid-template-columns:20rem minmax(0,1fr);background:var(--paper);color:var(--ink);font:15px/1.6 system-ui,sans-serif}
main{padding:32px 40px 96px;max-width:68rem}
h1{font-size:34px;line-height:1.2;margin:0 0 8px;font-weight:600}
h2{font-size:21px;margin:0 0 4px;padding-block-start:40px;font-weight:600}
h3{font-size:15px;margin:16px 0 4px;font-weight:600}
p,main ul{max-width:46rem;margin:4px 0 16px}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible,.wide:focus-visible,pre:focus-visible,input:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
aside{position:sticky;inset-block-start:0;block-size:100vh;overflow-y:auto;background:var(--side);border-inline-end:1px solid var(--line);padding:20px 16px 32px;font-size:14px;line-height:1.4}
aside ul{list-style:none;margin:0;padding:0}
aside li.group{margin-block-start:16px}
aside li.group>a{font-weight:600;color:var(--ink)}
aside li a{display:flex;gap:8px;align-items:baseline;min-block-size:28px;padding:4px 6px;border-radius:4px;text-decoration:none;overflow-wrap:anywhere}
aside li a:hover{background:var(--code)}
label{display:block;font-weight:600;margin-block-end:4px}
input{inline-size:100%;padding:8px 10px;border:1px solid var(--faint);border-radius:6px;background:var(--paper);color:var(--ink);font:inherit}
output{display:block;margin-block-start:6px;min-block-size:1.6em;color:var(--faint)}
details.entry{border-block-end:1px solid var(--line)}
details.entry[open]{padding-block-end:24px}
summary{padding:8px 0;cursor:pointer}
code{font:13px/1.5 ui-monospace,monospace;background:var(--code);padding:1px 4px;border-radius:3px;overflow-wrap:anywhere}
pre{margin:8px 0;padding:12px;max-block-size:26rem;overflow:auto;background:var(--code);border-radius:6px;font:13px/1.45 ui-monospace,monospace}
pre code{padding:0;background:none;font:inherit;overflow-wrap:normal}
.method{flex:none;display:inline-block;min-width:4.5em;font:600 13px/1.5 ui-monospace,monospace;color:var(--accent)}
aside .method{min-width:4em;font-size:11px}
.what{color:var(--faint)}
.wide{overflow-x:auto;margin:8px 0}
table{border-collapse:collapse;inline-size:100%}
caption{text-align:start;font-weight:600;padding:8px 0 4px}
th,td{text-align:start;vertical-align:top;padding:6px 16px 6px 0;border-block-start:1px solid var(--line);font-weight:400}
thead th{color:var(--faint);font-size:13px;border:0}
small{color:var(--faint)}
@media (max-width:60rem){body{display:block}aside{position:static;block-size:auto;max-block-size:45vh;border-inline-end:0;border-block-end:1px solid var(--line)}main{padding:24px 16px 64px}}
`;
