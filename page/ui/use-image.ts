import { useCallback, useState } from 'react'

interface Image {
  /** False without a URL and once the image has failed to load: something else is shown instead. */
  readonly isShown: boolean
  readonly handlers: {
    readonly ref: (image: HTMLImageElement | null) => void
    readonly onError: () => void
  }
}

/** Merchant image, which may fail to load; in a document that the server drew, even before React listens for the error. */
export const useImage = (address: string | undefined): Image => {
  const [failed, setFailed] = useState<string | undefined>()
  const onError = useCallback(() => setFailed(address), [address])
  const ref = useCallback(
    (image: HTMLImageElement | null) => {
      if (image?.complete === true && image.naturalWidth === 0) onError()
    },
    [onError],
  )
  return { isShown: address !== undefined && failed !== address, handlers: { ref, onError } }
}
