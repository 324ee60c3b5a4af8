/** QR picture: the code of a link, as the API has drawn it. */
import { Loading, Failed } from '../../shell/states.tsx'
import type { CallFailed } from '../../session/api-context.tsx'
import { useWords } from '../../words/language.tsx'
import styles from './sharing.module.css'
import { sharingWords } from './words.ts'

interface QrPictureProps {
  /** The reading of an SVG picture. */
  readonly of: { readonly data: string | undefined; readonly error: CallFailed | null; refetch(): Promise<unknown> }
}

/** A picture in an address: as such it can run nothing, whatever it holds. */
export const QrPicture = ({ of: { data, error, refetch } }: QrPictureProps) => {
  const { qr } = useWords(sharingWords)
  if (data !== undefined)
    return <img className={styles['qr']} alt={qr} src={`data:image/svg+xml,${encodeURIComponent(data)}`} />
  return error === null ? <Loading /> : <Failed failure={error.failure} retry={() => void refetch()} />
}
