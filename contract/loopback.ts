/** Loopback hosts: where plain http is allowed. */

const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a URL's host name means this machine: what is sent there does not travel. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)

/** Whether an acquirer's address is of this machine. Null, its own address, is not. */
export const isOnThisMachine = (address: string | null): boolean =>
  address !== null && isLoopback(new URL(address).hostname)
