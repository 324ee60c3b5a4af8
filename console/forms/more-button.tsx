/** More button: the next page of a list. */
import { Button } from './button.tsx'
import { useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import styles from './more-button.module.css'

interface MoreButtonProps {
  readonly of: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    fetchNextPage(): Promise<unknown>
  }
}

export const MoreButton = ({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: MoreButtonProps) => {
  const { more } = useWords(sharedWords)
  return hasNextPage ? (
    <div className={styles['more']}>
      <Button kind="secondary" type="button" onClick={() => void fetchNextPage()} busy={isFetchingNextPage}>
        {more}
      </Button>
    </div>
  ) : null
}
