/**
 * The script of the documentation page: it searches, and opens what a link leads to. Without it the page has everything but
 * the search. Plain JavaScript for browsers, allowed by its hash.
 */
export const DOCS_SCRIPT = `
(() => {
  const box = document.getElementById('search');
  const said = document.getElementById('found');
  const links = new Map([...document.querySelectorAll('nav a')].map((link) => [link.hash, link.parentElement]));
  const entries = [...document.querySelectorAll('main details.entry')].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
    title: element.querySelector('summary').textContent.toLowerCase(),
    link: links.get('#' + element.id),
  }));
  const sections = [...document.querySelectorAll('main > section')];
  const groups = [...document.querySelectorAll('nav li.group')];
  const show = (element, isShown) => {
    if (element) element.hidden = !isShown;
  };
  const search = () => {
    const words = box.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const isIdle = words.length === 0;
    let count = 0;
    for (const entry of entries) {
      const matches = words.every((word) => entry.text.includes(word));
      if (matches) count += 1;
      show(entry.element, matches);
      show(entry.link, matches);
      entry.element.classList.toggle('by-title', !isIdle && words.every((word) => entry.title.includes(word)));
    }
    for (const section of sections) {
      const inside = section.querySelectorAll('details.entry');
      const text = section.textContent.toLowerCase();
      const matches = inside.length === 0 ? words.every((word) => text.includes(word)) : false;
      show(section, isIdle || matches || [...inside].some((one) => !one.hidden));
    }
    for (const group of groups) {
      const target = document.getElementById(group.dataset.section);
      show(group, isIdle || !target.closest('section').hidden);
    }
    said.textContent = isIdle ? '' : count === 1 ? '1 entry' : count + ' entries';
  };
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null) return;
    if (target.closest('[hidden]') !== null) {
      box.value = '';
      search();
    }
    if (target.matches('details')) target.open = true;
    target.scrollIntoView();
  };
  box.addEventListener('input', search);
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      box.value = '';
      search();
    }
    if (event.key !== 'Enter') return;
    const found = entries.find(({ element }) => element.classList.contains('by-title')) ?? entries.find(({ element }) => !element.hidden);
    if (found === undefined || box.value.trim() === '') return;
    found.element.open = true;
    found.element.querySelector('summary').focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.matches('input, textarea');
    if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      box.focus();
      box.select();
    }
  });
  addEventListener('hashchange', open);
  document.getElementById('searching').hidden = false;
  open();
})();
`;
