import { Radio } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { writtenSum } from '../../../server/charge/money.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { Section } from '../../ui/section.tsx'
import classes from '../charge.module.css'
import type { movesOf } from './price-draft.ts'

interface Props {
  moves: ReturnType<typeof movesOf>
  moveOutside: boolean
  choose: (moveOutside: boolean) => void
}

/** What becomes of those who pay the old price. Nothing is asked when nobody does. */
export function MoveChoice({ moves, moveOutside, choose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const total = (way: 'outside' | 'byCard') => moves.reduce((sum, move) => sum + move[way], 0)
  const [outside, byCard] = [total('outside'), total('byCard')]
  if (outside + byCard === 0) return null
  const sums = moves.map(({ to, difference }) =>
    t('plans.move.difference', {
      sum: writtenSum(Math.abs(difference), to.currency, language),
      sign: difference > 0 ? '+' : '−',
      period: t(`plans.period.${to.period}`),
    }),
  )
  return (
    <Section
      className={classes.decide}
      title={t('plans.move.title')}
      aside={
        <span className={classes.small}>
          {t('plans.move.pay', { count: outside + byCard, n: format.number(outside + byCard) })}
        </span>
      }
    >
      <Radio.Group value={moveOutside ? 'move' : 'stay'} onChange={(value) => choose(value === 'move')}>
        <Radio value="stay" label={t('plans.move.stay')} description={t('plans.move.stayText')} mb="sm" />
        {outside > 0 && (
          <Radio
            value="move"
            label={t('plans.move.outside', { count: outside, n: format.number(outside) })}
            description={`${t('plans.move.outsideText')} ${sums.join(' ')}`}
          />
        )}
      </Radio.Group>
      {byCard > 0 && (
        <p className={classes.small}>{t('plans.move.byCard', { count: byCard, n: format.number(byCard) })}</p>
      )}
    </Section>
  )
}
