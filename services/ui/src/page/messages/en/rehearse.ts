/** Rehearsing a talk of one's own: three answers become a scenario. */
export const rehearse = {
  rehearse: {
    title: 'Rehearse my own',
    intro:
      'You have a talk before you? Answer three questions and have it here first. Your answers stay on this machine, as a pack of your own.',
    who: 'Whom do you talk to?',
    whoHint: 'Name or role, and who they are to you: “Marta, my team lead”.',
    want: 'What do you want from them?',
    wantHint: 'In a few words: “work from home on Fridays”.',
    need: 'What do they fear or need?',
    needHint: 'Your best guess: “that somebody is there when a customer calls”. Find out more in the talk.',
    begin: 'Make the talk',
    making: 'Making it…',
    failed: 'The talk could not be made.',
    teaser: 'A talk of your own',
    teaserText: 'Three questions about the person and what you want, and you can have your real talk here first.',
    afterwards: 'It stays in your library until you uninstall it under Packs.',
  },
};
