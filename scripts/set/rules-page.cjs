/** Rules as docs/rules.md writes them: `lint.exemplar`. Paths and members are no rules: they have another family. */
const RULE = /^(?:zip|yaml|path|file|asset|ref|schema|lint|text|rating|policy|pack|test)\.[a-z0-9-]+$/;

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #8884}
code{font-size:.9em}:target{outline:2px solid;outline-offset:4px}:root{color-scheme:light dark}`;

/**
 * docs/rules.md as a page that needs nothing else, with an anchor for each rule: where it is named first, its name is the id.
 * Terminals, SARIF viewers and the Packs page link there, offline too.
 * @param {string} markdown the text of docs/rules.md
 * @returns {Promise<string>}
 */
async function rulesPage(markdown) {
  const { Marked } = await import('marked');
  const named = new Set();
  const marked = new Marked({
    renderer: {
      codespan({ text }) {
        const isNew = RULE.test(text) && !named.has(text);
        if (isNew) named.add(text);
        return `<code${isNew ? ` id="${text}"` : ''}>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</code>`;
      },
      // The other pages of docs/ do not lie beside this one.
      link({ text, href }) {
        return /^[a-z-]+\.md$/.test(href) ? `<em>docs/${href}</em>` : text;
      },
    },
  });
  return `<!doctype html>
<!-- Written by npm run generate out of docs/rules.md; do not edit. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>What the checks of a pack say</title>
<style>${STYLE}</style>
</head>
<body>
${await marked.parse(markdown)}</body>
</html>
`;
}

module.exports = { rulesPage };
