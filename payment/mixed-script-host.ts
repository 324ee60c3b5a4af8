/** Mixed-script host: detects a host name that looks like another one because it mixes letters of different scripts. */

/** Scripts that may be mixed: Unicode Technical Standard 39, "highly restrictive". One script alone is always allowed. */
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

/** `host` is in Unicode, not in punycode. */
export const isMixedScriptHost = (host: string): boolean =>
  host.split('.').some((label) => {
    const letters = label.replaceAll(/\P{L}/gu, '')
    return !WRITTEN_TOGETHER.some((scripts) => scripts.test(letters))
  })
