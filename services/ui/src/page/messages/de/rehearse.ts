/** Ein eigenes Gespräch proben: Drei Antworten werden ein Szenario. */
export const rehearse = {
  rehearse: {
    title: 'Mein eigenes Gespräch',
    intro:
      'Steht dir ein schwieriges Gespräch bevor? Beantworte drei Fragen und übe es zuerst hier. Deine Antworten bleiben auf diesem Rechner, als dein eigenes Paket.',
    who: 'Mit wem sprichst du?',
    whoHint: 'Name oder Rolle, und wer das für dich ist: „Marta, meine Teamleiterin“.',
    want: 'Was willst du?',
    wantHint: 'In wenigen Worten: „freitags von zu Hause arbeiten“.',
    need: 'Was fürchtet oder braucht dein Gegenüber?',
    needHint: 'Was du vermutest: „dass jemand da ist, wenn ein Kunde anruft“. Im Gespräch erfährst du mehr.',
    begin: 'Szenario anlegen',
    making: 'Wird angelegt …',
    failed: 'Das Szenario konnte nicht angelegt werden.',
    teaser: 'Ein eigenes Gespräch',
    teaserText:
      'Beantworte drei Fragen zu dem Menschen und zu dem, was du willst, und übe dein echtes Gespräch zuerst hier.',
    afterwards:
      'Daraus wird ein persönliches Paket in deiner Bibliothek. Entfernen kannst du es unter Pakete, ändern in der Werkstatt.',
  },
};
