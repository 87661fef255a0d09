/** Rehearsing a talk of one's own: three answers become a scenario. */
export const rehearse = {
  rehearse: {
    title: 'Rehearse my own',
    intro:
      'Got a hard conversation coming up? Answer three questions and practise it here first. Your answers stay on this machine, as a pack of your own.',
    who: 'Who are you talking to?',
    whoHint: 'Name or role, and who they are to you: “Marta, my team lead”.',
    want: 'What do you want from them?',
    wantHint: 'In a few words: “work from home on Fridays”.',
    need: 'What do they fear or need?',
    needHint: 'Your best guess: “that someone is there when a customer calls”. Find out more as you talk.',
    begin: 'Create the scenario',
    making: 'Creating it…',
    failed: 'The scenario could not be created.',
    teaser: 'A conversation of your own',
    teaserText:
      'Answer three questions about the person and what you want, and practise your real conversation here first.',
    afterwards:
      'It becomes a personal pack in your library. Remove it under Packs, or open it in the workbench to change it.',
  },
};
