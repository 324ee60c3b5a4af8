/** Style sheet of every page of the sandbox: dark on light, system fonts, no image but the bank's logo. `en` needs no rule. */
export const COMMON_STYLE = `
  :root {
    --ink: #14181f;
    --quiet: #4d5765;
    --hairline: #dde3ea;
    --ground: #f3f6f8;
    --bank: #0b4f55;
    --bank-dark: #073a3f;
    --bank-pale: #e7f1f1;
    --alarm: #a3190f;
    --alarm-pale: #fdf1f0;
    color-scheme: light;
  }
  * { box-sizing: border-box; }
  [hidden] { display: none; }
  html { -webkit-text-size-adjust: 100%; }
  body {
    margin: 0;
    background: var(--ground);
    color: var(--ink);
    font: 400 16px/1.5 system-ui, -apple-system, 'Hiragino Sans', 'Yu Gothic UI', 'Noto Sans JP', 'Noto Sans CJK JP', sans-serif;
    overflow-wrap: anywhere;
  }
  html:lang(ja) body { word-break: auto-phrase; }
  html:lang(ko) body { font-family: system-ui, -apple-system, 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR', 'Noto Sans CJK KR', sans-serif; word-break: keep-all; }
  html:lang(zh-Hans) body { font-family: system-ui, -apple-system, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans SC', 'Noto Sans CJK SC', sans-serif; }
  html:lang(zh-Hant) body { font-family: system-ui, -apple-system, 'PingFang TC', 'Microsoft JhengHei', 'Noto Sans TC', 'Noto Sans CJK TC', sans-serif; }
  html:lang(th) body { font-family: system-ui, -apple-system, Thonburi, 'Leelawadee UI', 'Noto Sans Thai', sans-serif; line-height: 1.6; overflow-wrap: break-word; }
  :focus-visible { outline: 3px solid #1f7a83; outline-offset: 2px; }
`
