/** Words that only ever diagnose. */
export const DIAGNOSIS =
  /\b(?:diagnos\w*|symptoms? of|ptsd|adhd|ocd|bipolar|narcissis\w*|psychiatr\w*|psychopath\w*|sociopath\w*|(?:personality|anxiety|mood|mental|eating) disorders?|clinical(?:ly)? (?:depress\w*|anx\w*)|mental illness|on the spectrum)\b/i;
/** Words of care, which are advice only together with words that advise. */
export const CARE =
  /\b(?:therap(?:y|ist|ies)|counsell?(?:ing|or)|psycholog(?:ist|y)|medications?|medicines?|antidepressants?|doctor|physician|treatment|dosage|dose)\b/i;
/** Words that advise. */
export const ADVICE =
  /\b(?:should|ought to|must|need to|recommend\w*|advise\w*|suggest\w*|consider|seek|see an?|talk to an?|consult|try|take|get help|suffer\w*)\b/i;
/** Words that promise a result. */
export const GUARANTEE =
  /\b(?:guarante\w*|(?:will|'ll) (?:definitely|certainly|surely|always|never fail)|(?:is|are) (?:sure|certain|bound) to|always works?|never fails?|cannot fail|can't fail|without fail|fool-?proof|(?:100|one hundred) ?(?:%|percent)|no doubt (?:you|that)|you(?:'ll| will) (?:get|win|succeed|land|secure|earn|be promoted)|(?:i|we) promise)(?!\w)/i;
