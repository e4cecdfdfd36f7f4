import { useTranslation } from 'react-i18next'
import { Halftone, Lines } from './halftone.tsx'
import classes from './identity.module.css'

/** Decoration: a printed sheet of eight pages, the upper row upside down, with marks for folding and cutting. */
export function Artwork() {
  const { t } = useTranslation()
  return (
    <aside className={classes.artwork} aria-hidden="true">
      <svg viewBox="0 0 698 556" aria-hidden="true">
        <Leaf x={64} number={8} upsideDown>
          <path d="M0 12h116" stroke="var(--k)" />
          <text y={32} fontSize={23}>
            {t('identity.sheetTitles.newsletter')}
          </text>
          <Halftone y={44} width={116} height={58} shape="bay" />
          <Columns y={116} lines={11} />
        </Leaf>
        <Leaf x={210} number={9} upsideDown>
          <Lines x={0} y={4} width={55} lines={32} />
          <Lines x={61} y={4} width={55} lines={17} />
          <Halftone x={61} y={100} width={55} height={66} shape="stone" />
        </Leaf>
        <Leaf x={356} number={12} upsideDown>
          <text y={16} fontSize={15}>
            {t('identity.sheetTitles.wind')}
          </text>
          <Lines x={0} y={28} width={116} lines={7} />
          <Halftone y={70} width={116} height={42} shape="hill" />
          <Columns y={124} lines={9} />
        </Leaf>
        <Leaf x={502} number={5} upsideDown>
          <Columns y={4} lines={32} />
        </Leaf>
        <Leaf x={64} y={272} number={1}>
          <Halftone y={0} width={116} height={86} shape="moon" />
          <text y={106} fontSize={15}>
            {t('identity.sheetTitles.metres')}
          </text>
          <Columns y={116} lines={11} />
        </Leaf>
        <Leaf x={210} y={272} number={16}>
          <Lines x={0} y={4} width={116} lines={6} />
          <path d="M0 42h116" stroke="var(--k)" />
          <Lines x={0} y={54} width={36} lines={22} />
          <Lines x={40} y={54} width={36} lines={22} />
          <Lines x={80} y={54} width={36} lines={22} />
        </Leaf>
        <Leaf x={356} y={272} number={13}>
          <text y={16} fontSize={15}>
            {t('identity.sheetTitles.sand')}
          </text>
          <Lines x={0} y={28} width={55} lines={27} />
          <Halftone x={61} y={26} width={55} height={58} shape="dune" />
          <Lines x={61} y={96} width={55} lines={14} />
        </Leaf>
        <Leaf x={502} y={272} number={4}>
          <Columns y={4} lines={20} />
          <rect y={114} width={116} height={54} fill="none" stroke="var(--k)" strokeWidth={0.8} />
          <Lines x={10} y={126} width={96} lines={6} step={7} />
        </Leaf>
        <Marks />
        <text x={634} y={499} textAnchor="end" fontSize={10} className={classes.sheetName}>
          {t('identity.sheet')}
        </text>
      </svg>
    </aside>
  )
}

function Leaf(props: { x: number; y?: number; number: number; upsideDown?: boolean; children: React.ReactNode }) {
  const odd = props.number % 2 === 1
  return (
    <g transform={`translate(${props.x} ${props.y ?? 64})${props.upsideDown ? ' rotate(180 66 93)' : ''}`}>
      <rect width={132} height={186} fill="var(--s)" />
      <g transform="translate(8 8)">{props.children}</g>
      <text
        x={odd ? 124 : 8}
        y={182.5}
        fontSize={6.5}
        textAnchor={odd ? 'end' : 'start'}
        className={classes.leafNumber}
      >
        {props.number}
      </text>
    </g>
  )
}

function Columns({ y, lines }: { y: number; lines: number }) {
  return (
    <>
      <Lines x={0} y={y} width={55} lines={lines} />
      <Lines x={61} y={y} width={55} lines={lines} />
    </>
  )
}

const inks = ['--k', '--v1', '--v3', '--v4', '--v2']
const strengths = [1, 0.72, 0.44, 0.2]

function Marks() {
  return (
    <g fill="none" stroke="var(--k)" strokeWidth={0.8}>
      <path d="M56 64h-16M64 56v-16M642 64h16M634 56v-16M56 458h-16M64 466v16M642 458h16M634 466v16" />
      {[
        [349, 38],
        [32, 261],
        [666, 261],
      ].map(([x, y]) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
          <circle r={5.5} />
          <path d="M-10 0H10M0-10V10" />
        </g>
      ))}
      <path d="M64 261H634M349 56V466" strokeDasharray="5 4" />
      <g transform="translate(64 488)" stroke="none">
        {inks.flatMap((ink, i) =>
          strengths.map((strength, j) => (
            <rect
              key={ink + strength}
              x={15 * (4 * i + j)}
              width={14}
              height={14}
              fill={`var(${ink})`}
              opacity={strength}
            />
          )),
        )}
      </g>
    </g>
  )
}
