/** Merchant image, which may fail to load. It has no address until the page is live. */
import { useState } from 'react'
import { useIsLive } from '../live.tsx'

interface Image {
  /** False without a URL and once the image has failed to load: something else is shown instead. */
  readonly isShown: boolean
  readonly props: {
    readonly src: string | undefined
    readonly onError: () => void
  }
}

export const useImage = (address: string | undefined): Image => {
  const [failed, setFailed] = useState<string | undefined>()
  const src = useIsLive() ? address : undefined
  return { isShown: address !== undefined && failed !== address, props: { src, onError: () => setFailed(address) } }
}
