/** Mixed-script host: a host name that looks like another one because its letters come from scripts that are not written together. */

/** Which scripts are written together: Unicode Technical Standard 39, "highly restrictive". Any one script alone is fine too. */
const WRITTEN_TOGETHER: readonly RegExp[] = [
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}]*$/u,
  /^\p{Script=Cyrillic}*$/u,
  /^\p{Script=Greek}*$/u,
  /^\p{Script=Thai}*$/u,
  /^\p{Script=Arabic}*$/u,
  /^\p{Script=Hebrew}*$/u,
  /^\p{Script=Devanagari}*$/u,
]

/** `host` in Unicode, not in punycode. */
export const isMixedScriptHost = (host: string): boolean =>
  host.split('.').some((label) => {
    const letters = label.replaceAll(/\P{L}/gu, '')
    return !WRITTEN_TOGETHER.some((scripts) => scripts.test(letters))
  })
