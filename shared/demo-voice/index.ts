export { cannedTurn, chooseLine } from './canned-turn';
export { playerMood } from './player-mood';
export { playerUtterance, spokenLanguage } from './player-utterance';
export { textHash } from './text-hash';
