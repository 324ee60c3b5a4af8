import { useCallback, useState } from 'react'

interface Image {
  /** False without an address and once the image has failed to load: something else stands in its place then. */
  readonly isShown: boolean
  readonly handlers: {
    readonly ref: (image: HTMLImageElement | null) => void
    readonly onError: () => void
  }
}

/** An image from elsewhere, which may not come. In a drawn document it may have failed before anybody listened for it. */
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
