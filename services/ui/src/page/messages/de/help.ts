/** Die Hilfeseite: wie alles geht, in der Reihenfolge, in der man darauf trifft. */
export const help = {
  help: {
    title: 'Hilfe',
    intro: 'Parley ist ein Proberaum: Üb ein schwieriges Gespräch zuerst hier und lies dann, wie es gelaufen ist.',
    talk: 'Wie ein Gespräch abläuft',
    talkText: [
      'Wähl in der Bibliothek ein Szenario. Es sagt dir, wer du bist, wen du triffst und was du willst. Drück auf Anfangen, und die Figur spricht zuerst. Dann wechselt ihr euch ab: Schreib, was du wirklich sagen würdest, und drück die Eingabetaste.',
      'Ein Gespräch ist vorbei, wenn du hast, wofür du gekommen bist, wenn dein Gegenüber genug hat, wenn deine Zeilen verbraucht sind oder wenn du auf Gespräch beenden drückst. Was du hier ausprobierst, tut niemandem weh.',
      'Oben auf der Seite steht, wer die Figur spielt. Die Demostimme antwortet mit vorbereiteten Zeilen und versteht dich nicht; ein Modell schon. Ist die Antwort eines Modells nicht zu gebrauchen, tritt eine Ersatzzeile an ihre Stelle und ist als solche gekennzeichnet.',
    ],
    meters: 'Die Anzeigen',
    metersText: [
      'Neben der Figur stehen Anzeigen wie Vertrauen oder Geduld: wie es deinem Gegenüber mit dem Gespräch geht. Nach jedem Zug zeigen sie, wie weit sie sich bewegt haben, zum Beispiel Vertrauen 56 ▲6.',
      'Was du im Gespräch tust, bewegt sie stärker als freundliche Worte. Manche Szenarien verbergen eine Anzeige, während du spielst; die Auswertung zeigt sie.',
    ],
    hints: 'Hinweise',
    hintsText: [
      'Hat das Szenario für diesen Augenblick einen Hinweis, steht unter den Anzeigen Hinweis zeigen. Ihn zu lesen kostet nichts: Es ändert keine Anzeige und keine Punkte.',
    ],
    retry: 'Neu versuchen',
    retryText: [
      'Jede deiner Zeilen hat auf der Bühne einen Knopf Neu versuchen, und die Auswertung hat einen dort, wo es am meisten hilft. Er beginnt ein neues Gespräch an dieser Zeile, mit allem, wie es damals war; das alte bleibt. Dafür muss das Gespräch gespeichert sein.',
      'Ist ein Gespräch vorbei, kannst du zu der Zeile zurückgehen, die es entschieden hat, oder zu jeder, die die Auswertung nennt, und sie noch einmal sagen: drei Versuche, jeder mit dem, was er erfüllt und was fehlt. Von jedem aus kannst du weiterspielen.',
      'Auf der leichtesten Stufe kannst du Coaching wählen: Zeile prüfen sagt dir dann, was einer Zeile fehlt, bevor du sie abschickst. Solche Gespräche werden getrennt gezählt.',
      'Neue Versuche sind Übung. Der Fortschritt zeigt sie getrennt von den ersten, die zeigen, was du ohne Hilfe kannst.',
    ],
    letter: 'Die Auswertung',
    letterText: [
      'Ist ein Gespräch vorbei, kannst du dich zuerst selbst einschätzen: Der Abstand zwischen deinem Bild und den Punkten ist aufschlussreich. Dann liest du die Auswertung: was du nächstes Mal tun kannst, was gewirkt hat, wo sich das Gespräch gewendet hat, und am Ende die Punkte mit den Zeilen, auf denen sie beruhen.',
      'Eine Auswertung bekommst du immer, auch ohne Modell.',
      'Darunter kannst du einen Vorsatz für das echte Gespräch schreiben: Wenn …, sage ich …. Er bleibt in diesem Browser, steht in der Bibliothek, und eine Woche später wirst du einmal danach gefragt.',
    ],
    data: 'Wo deine Daten sind',
    dataText: [
      'Alles bleibt in Parleys Datenordner auf diesem Rechner; npm run doctor zeigt, wo er liegt, und SIM_DATA_DIR ändert das. Nichts, was du sagst, wird irgendwohin geschickt, außer an den Modellserver, den du selbst verbindest.',
      'In den Einstellungen kannst du das Speichern von Gesprächen abschalten, im Verlauf eines oder alles löschen.',
    ],
    keyboard: 'Tastatur',
    keys: [
      [['Eingabe'], 'Schickt ab, was du geschrieben hast, oder drückt den Knopf, der ausgewählt ist.'],
      [['Strg+Eingabe'], 'In einem Gespräch mit Coaching: prüft, was du geschrieben hast, bevor du es abschickst.'],
      [['Umschalt+Eingabe'], 'Beginnt eine neue Zeile.'],
      [['Tab', 'Umschalt+Tab'], 'Zum nächsten oder vorigen Element. Das erste auf jeder Seite springt zum Inhalt.'],
      [['Escape'], 'Schließt einen Dialog, ohne zu antworten.'],
      [['↑', '↓'], 'Scrollen das ausgewählte Gespräch, oder bewegen einen Regler oder eine Auswahl.'],
    ] as readonly (readonly [readonly string[], string])[],
    trouble: 'Wenn etwas nicht geht',
    troubleText: [
      'Oben auf der Seite steht, wenn ein Teil von Parley nicht antwortet, und was zu tun ist. Die Diagnose zeigt alle Teile und die letzten Fehler und macht daraus einen Bericht, in dem nichts aus deinen Gesprächen steht.',
    ],
    typefaces: 'Schriften',
    typefacesText: 'Die Seite ist in Literata und Figtree gesetzt, unter der SIL Open Font License.',
    licenceOf: (name: string) => `Lizenz von ${name}`,
  },
};
