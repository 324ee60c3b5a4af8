/** Style sheet of the bank's pages, for the five window sizes of EMV 3-D Secure. */
import { COMMON_STYLE } from '../http/style.ts'

export const BANK_STYLE = `${COMMON_STYLE}
  body { display: grid; min-height: 100vh; min-height: 100dvh; justify-items: center; align-items: start; }
  .sheet { width: 100%; background: #fff; }
  .sheet::before { content: ''; display: block; height: 4px; background: var(--bank); }
  .size-01 { max-width: 250px; min-height: 400px; }
  .size-02 { max-width: 390px; min-height: 400px; }
  .size-03 { max-width: 500px; min-height: 600px; }
  .size-04 { max-width: 600px; min-height: 400px; }
  .size-05 { max-width: 480px; min-height: 100dvh; }
  header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
    padding: 12px 16px;
    border-bottom: 1px solid var(--hairline);
  }
  .bank { display: flex; align-items: center; gap: 10px; font-weight: 600; line-height: 1.3; color: var(--bank-dark); }
  .bank svg { flex: none; width: 28px; height: 28px; }
  .brand { flex: none; font-size: 13px; font-weight: 600; color: var(--quiet); }
  main { padding: 16px; }
  h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.35; font-weight: 600; }
  p { margin: 0; }
  .lead { color: var(--quiet); font-size: 14px; text-wrap: pretty; }
  dl { margin: 14px 0 0; border-block: 1px solid var(--hairline); font-size: 14px; }
  dl div { display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: 16px; padding: 7px 0; }
  dl div + div { border-top: 1px solid var(--hairline); }
  dt { color: var(--quiet); }
  dd { margin: 0 0 0 auto; text-align: end; font-weight: 600; font-variant-numeric: tabular-nums; }
  .amount { font-size: 16px; white-space: nowrap; }
  .masked { white-space: nowrap; }
  form { margin: 16px 0 0; }
  label { display: block; margin-bottom: 6px; font-size: 14px; font-weight: 600; }
  input {
    display: block;
    width: 100%;
    height: 48px;
    padding: 0 14px;
    border: 1px solid #7b8794;
    border-radius: 10px;
    background: #fff;
    color: inherit;
    font: 600 20px/1 ui-monospace, 'SF Mono', Menlo, Consolas, 'Noto Sans Mono', monospace;
    letter-spacing: 0.3em;
  }
  input:focus-visible { outline-offset: 0; border-color: var(--bank); }
  input[aria-invalid='true'] { border-color: var(--alarm); box-shadow: inset 0 0 0 1px var(--alarm); }
  .alert {
    display: flex;
    gap: 8px;
    margin: 14px 0 0;
    padding: 10px 12px;
    border-radius: 10px;
    background: var(--alarm-pale);
    color: var(--alarm);
    font-size: 14px;
    font-weight: 600;
    line-height: 1.45;
  }
  .alert svg { flex: none; width: 18px; height: 18px; margin-top: 1px; }
  .hint { margin: 8px 0 0; font-size: 13px; color: var(--quiet); text-wrap: pretty; }
  button, .app {
    display: block;
    width: 100%;
    min-height: 48px;
    margin: 12px 0 0;
    padding: 8px 16px;
    border: 1px solid transparent;
    border-radius: 10px;
    font: inherit;
    font-weight: 600;
    cursor: pointer;
    transition: background-color 120ms;
  }
  .app { display: grid; place-items: center; text-decoration: none; background: var(--bank); color: #fff; }
  .confirm { background: var(--bank); color: #fff; }
  .confirm:hover, .confirm:active { background: var(--bank-dark); }
  .cancel { min-height: 44px; margin-top: 8px; background: transparent; color: var(--bank-dark); }
  .cancel:hover, .cancel:active { background: var(--bank-pale); }
  .wait { display: flex; align-items: center; gap: 12px; margin: 16px 0 0; padding: 12px; border-radius: 10px; background: var(--bank-pale); color: var(--bank-dark); font-size: 14px; }
  .ring { flex: none; width: 20px; height: 20px; border: 3px solid #b9d3d4; border-top-color: var(--bank); border-radius: 50%; animation: turn 1s linear infinite; }
  @keyframes turn { to { transform: rotate(1turn); } }
  @media (prefers-reduced-motion: reduce) { .ring { animation: none; } button { transition: none; } }
  @media (forced-colors: active) { .ring { border-top-color: CanvasText; } }
  @media (max-width: 300px) {
    header { padding: 8px 12px; }
    .bank { font-size: 14px; gap: 8px; }
    .bank svg { width: 24px; height: 24px; }
    main { padding: 12px; }
    h1 { font-size: 18px; }
  }
  @media (min-width: 560px) {
    .size-05 { min-height: 0; margin: 32px 0; border-radius: 16px; overflow: clip; box-shadow: 0 0 0 1px var(--hairline), 0 1px 2px rgb(0 0 0 / 5%), 0 8px 24px rgb(0 0 0 / 5%); }
    .size-05 header { padding: 16px 24px; }
    .size-05 main { padding: 24px; }
    .size-05 h1 { font-size: 22px; }
    .size-05 dl { margin-top: 16px; }
    .size-05 dl div { padding: 9px 0; }
    .size-05 form { margin-top: 20px; }
    /* A wide and low window: what is bought beside what is asked. */
    .size-04 main { display: grid; grid-template: auto 1fr / 1fr 1fr; gap: 0 24px; }
    .size-04 dl { align-self: start; }
    .size-04 .asked { grid-area: 1 / 2 / span 2; }
    .size-04 .alert { margin-top: 0; }
    .size-04 form:first-child { margin-top: 0; }
  }
  /* The protocol's low windows: the button must not lie below the edge. */
  @media (max-height: 480px) {
    header { padding-block: 6px; }
    main { padding-block: 10px; }
    h1 { margin: 0; font-size: 18px; }
    .lead, dl, .hint, .alert { font-size: 13px; }
    dl { margin-top: 6px; }
    dl div { padding: 2px 0; }
    .amount { font-size: 14px; }
    .alert { margin-top: 8px; padding: 6px 10px; }
    main:has(.alert) .lead { display: none; }
    form { margin-top: 8px; }
    label { margin-bottom: 2px; }
    input { height: 44px; }
    .hint { margin-top: 4px; }
    .choice { display: flex; gap: 8px; margin-top: 8px; }
    .choice button { width: auto; min-height: 44px; margin: 0; padding-inline: 12px; }
    .choice .confirm { flex: 1; }
  }
`
