/** Origins of merchants' pages and of the bridge. */

/** `demo` on https://pay.example.com becomes https://demo.pay.example.com. */
export const merchantOrigin = (base: URL, label: string): string => `${base.protocol}//${label}.${base.host}`

/** The bridge to the card issuers lives on a host of ours, so the card page frames one host and no other. */
export const bridgeOrigin = (base: URL): string => merchantOrigin(base, '3ds')
