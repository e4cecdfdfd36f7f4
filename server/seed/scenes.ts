export type Scene =
  | 'harbour'
  | 'fog'
  | 'table'
  | 'rope'
  | 'radio'
  | 'ledger'
  | 'window'
  | 'chart'
  | 'ferry'
  | 'slack'
  | 'bell'
  | 'lighthouse'
  | 'clock'
  | 'timer'
  | 'cup'
  | 'bench'

type Point = readonly [x: number, y: number]

interface Hand {
  length: number
  /** Degrees, clockwise from twelve o’clock. */
  angle: number
  width: number
  ink?: string
}

// Parts of the drawings, in greys. The halftone turns each grey into dots.

const sea = (horizon = 560) =>
  `<rect width="1600" height="900" fill="url(#sky)"/><rect y="${horizon}" width="1600" height="${900 - horizon}" fill="url(#sea)"/>`
const moon = (x: number, y: number, r = 120) => `<circle cx="${x}" cy="${y}" r="${r}" fill="#f6f6f6"/>`
const glint = (x: number, y: number, width: number) =>
  `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="9" fill="#f4f4f4" opacity=".9"/>`
/** `lean` is in degrees. */
const boat = ([x, y]: Point, size: number, lean: number) =>
  `<g transform="translate(${x} ${y}) rotate(${lean}) scale(${size})"><path d="M-150-10Q-130 70-60 76H70Q140 66 160-30Q0 16-150-10Z" fill="#111"/>
  <path d="M-143 4Q0 36 152-14" stroke="#eee" stroke-width="7" fill="none"/><path d="M-70-12V-56H0V-2Z" fill="#222"/><path d="M-58-46h22v20h-22zm30 2h18v20h-18z" fill="#ddd"/>
  <path d="M30 0V-270M30-262-150-12M30-262 160-30M30-120 -90-96" stroke="#222" stroke-width="6" fill="none"/></g>`
const hill = '<path d="M0 560Q180 470 380 520T760 560Z" fill="#777"/>'
const tower = (x: number, base: number, tall: number) =>
  `<path d="M${x - 42} ${base}L${x - 24} ${base - tall}h48L${x + 42} ${base}Z" fill="#f2f2f2"/><path d="M${x - 36} ${base - tall * 0.35}h72l-4-${tall * 0.2}h-64Z" fill="#333"/>
  <rect x="${x - 34}" y="${base - tall - 12}" width="68" height="12" fill="#222"/><rect x="${x - 18}" y="${base - tall - 52}" width="36" height="40" fill="#eee"/><path d="M${x - 26} ${base - tall - 52}h52l-26-34Z" fill="#222"/>`
const dial = ([x, y]: Point, r: number, hands: string) =>
  `<circle cx="${x}" cy="${y}" r="${r * 1.11}" fill="#222"/><circle cx="${x}" cy="${y}" r="${r}" fill="#f6f6f6"/>${Array.from(
    { length: 12 },
    (_, hour) =>
      `<rect x="${x - r / 42}" y="${y - r * 0.94}" width="${r / 21}" height="${hour % 3 ? r / 10 : r / 5.4}" fill="#222" transform="rotate(${hour * 30} ${x} ${y})"/>`,
  ).join(
    '',
  )}<g stroke="#111" stroke-linecap="round">${hands}</g><circle cx="${x}" cy="${y}" r="${r / 17}" fill="#111"/>`
const hand = ([x, y]: Point, { length, angle, width, ink = '#111' }: Hand) =>
  `<path d="M${x} ${y + 40}V${y - length}" stroke="${ink}" stroke-width="${width}" transform="rotate(${angle} ${x} ${y})"/>`
const wave = (y: number, height: number, ink: string) =>
  `<path d="M-50 ${y}${Array.from({ length: 6 }, (_, i) => `q75 ${i % 2 ? height : -height} 150 0t150 0`).join('')}" stroke="${ink}" stroke-width="8" fill="none"/>`
const curve = (low: number, high: number) =>
  `M0 ${low}${Array.from({ length: 4 }, (_, i) => `C${i * 400 + 100} ${low} ${i * 400 + 100} ${high} ${i * 400 + 200} ${high}S${i * 400 + 300} ${low} ${i * 400 + 400} ${low}`).join('')}`
const coil = (x: number, y: number, turns: number) =>
  Array.from(
    { length: turns },
    (_, i) =>
      `<ellipse cx="${x}" cy="${y - i * 34}" rx="${360 - i * 16}" ry="${120 - i * 5}" fill="none" stroke="${i % 2 ? '#333' : '#111'}" stroke-width="30" stroke-dasharray="34 7"/>`,
  ).join('')
const paper = (x: number, y: number, lean: number) =>
  `<g transform="translate(${x} ${y}) rotate(${lean})"><rect width="560" height="700" fill="#f0f0f0"/><path d="M280 40V660" stroke="#555" stroke-width="4"/>${Array.from({ length: 13 }, (_, i) => `<path d="M40 ${90 + i * 44}h${150 + ((i * 67) % 70)}M310 ${90 + i * 44}h${90 + ((i * 41) % 120)}" stroke="#444" stroke-width="7"/>`).join('')}</g>`

const drawings: Readonly<Record<Scene, string>> = {
  harbour:
    sea() +
    moon(1180, 260) +
    hill +
    boat([420, 690], 1.05, -9) +
    boat([700, 640], 0.72, 10) +
    boat([1000, 600], 0.46, -5) +
    boat([1370, 720], 0.98, 7) +
    glint(620, 720, 300) +
    glint(1150, 640, 180) +
    glint(600, 815, 480),
  fog:
    '<rect width="1600" height="900" fill="url(#fog)"/>' +
    tower(1080, 640, 330) +
    '<path d="M760 640h640l60 260H700Z" fill="#555"/>' +
    [430, 520, 610]
      .map(
        (y, i) => `<rect x="${i * 120 - 100}" y="${y}" width="1300" height="46" rx="23" fill="#e9e9e9" opacity=".82"/>`,
      )
      .join('') +
    '<g fill="none" stroke="#666" stroke-width="10"><path d="M950 250q-120 50-120 0M920 210q-190 70-190 20"/></g>',
  table:
    '<rect width="1600" height="900" fill="url(#fog)"/>' +
    `<path d="${curve(700, 250)}V900H0Z" fill="#3b3b3b"/><path d="${curve(640, 330)}" stroke="#f4f4f4" stroke-width="8" stroke-dasharray="26 18" fill="none"/>` +
    Array.from(
      { length: 15 },
      (_, i) => `<path d="M${i * 114} 900v-${i % 7 ? 30 : 64}" stroke="#f4f4f4" stroke-width="7"/>`,
    ).join('') +
    moon(1260, 150, 80) +
    '<circle cx="1296" cy="138" r="74" fill="#b9b9b9"/>',
  rope:
    '<rect width="1600" height="900" fill="url(#fog)"/><rect y="640" width="1600" height="260" fill="#8a8a8a"/>' +
    coil(760, 700, 7) +
    '<path d="M1080 640C1300 560 1280 300 1660 210" stroke="#111" stroke-width="30" stroke-dasharray="34 7" fill="none"/><rect x="1220" y="420" width="120" height="250" rx="20" fill="#222"/><rect x="1190" y="400" width="180" height="52" rx="26" fill="#111"/>',
  radio:
    sea(660) +
    moon(330, 220, 90) +
    '<path d="M1000 660 1090 120 1180 660M1024 520h132M1042 410h96M1058 300h64M1024 520l114-110M1156 520 1042 410" stroke="#111" stroke-width="11" fill="none"/><rect x="860" y="600" width="460" height="90" fill="#222"/><path d="M900 620h60v34h-60zm110 0h60v34h-60z" fill="#f4f4f4"/>' +
    [120, 210, 300]
      .map(
        (r) =>
          `<path d="M${1090 - r} 120a${r} ${r} 0 0 1 ${2 * r} 0" fill="none" stroke="#eee" stroke-width="12" opacity=".85"/>`,
      )
      .join('') +
    glint(420, 780, 260),
  ledger:
    '<rect width="1600" height="900" fill="#8d8d8d"/>' +
    paper(260, 110, -5) +
    paper(800, 80, 3) +
    '<path d="M860 470q180 200 460 40q-40 150-200 160t-260-200z" fill="#666"/>',
  window:
    '<rect width="1600" height="900" fill="#666"/>' +
    [250, 830]
      .map(
        (x) =>
          `<rect x="${x}" y="110" width="520" height="680" fill="url(#sky)"/><rect x="${x}" y="530" width="520" height="260" fill="url(#sea)"/><path d="M${x + 260} 110v680M${x} 450h520" stroke="#f2f2f2" stroke-width="24"/><rect x="${x}" y="110" width="520" height="680" fill="none" stroke="#f2f2f2" stroke-width="30"/>`,
      )
      .join('') +
    moon(1180, 290, 70) +
    '<path d="M330 690q150-150 330-100" stroke="#fafafa" stroke-width="44" fill="none" opacity=".8"/>',
  chart:
    '<rect width="1600" height="900" fill="#e4e4e4"/>' +
    Array.from(
      { length: 7 },
      (_, i) =>
        `<path d="M-20 ${300 + i * 90}C${300 + i * 30} ${160 + i * 96} ${620 - i * 20} ${640 + i * 40} ${980 + i * 10} ${360 + i * 80}S1400 ${260 + i * 100} 1640 ${420 + i * 70}" fill="none" stroke="${i ? '#777' : '#111'}" stroke-width="${i ? 5 : 12}"/>`,
    ).join('') +
    '<path d="M-20-20H1640V420C1400 260 1190 60 980 360S300 160-20 300Z" fill="#8a8a8a"/><g transform="translate(1250 640)"><circle r="150" fill="none" stroke="#111" stroke-width="7"/><circle r="118" fill="none" stroke="#444" stroke-width="4" stroke-dasharray="4 11"/><path d="M0-190 26 0 0 190-26 0Z" fill="#111"/><path d="M-190 0 0-26 190 0 0 26Z" fill="#555"/></g>',
  ferry:
    sea() +
    moon(380, 230, 100) +
    hill +
    '<path d="M560 640h860l-70 120H650Z" fill="#111"/><path d="M680 640V540h560v100Z" fill="#eee"/><path d="M820 540v-70h270v70Z" fill="#ccc"/><path d="M1110 470V380h70v90Z" fill="#222"/>' +
    Array.from({ length: 8 }, (_, i) => `<rect x="${712 + i * 64}" y="570" width="40" height="34" fill="#333"/>`).join(
      '',
    ) +
    '<path d="M1150 370q70-90 200-80t190-80" stroke="#bbb" stroke-width="40" fill="none" opacity=".7"/>' +
    glint(900, 800, 420) +
    glint(300, 680, 200),
  slack:
    sea(420) +
    moon(800, 240, 130) +
    [450, 500, 560, 630, 710, 800].map((y, i) => glint(800 + (i % 2 ? 30 : -30), y, 130 + i * 52)).join(''),
  bell:
    sea(650) +
    '<path d="M690 210h220v60h-220Z" fill="#222"/><path d="M800 270c170 0 190 160 210 320l60 70H530l60-70c20-160 40-320 210-320Z" fill="#1b1b1b"/><path d="M640 520c10-110 40-190 110-210" stroke="#ddd" stroke-width="16" fill="none"/><circle cx="800" cy="690" r="44" fill="#111"/><path d="M440 900V180h720v720" stroke="#333" stroke-width="46" fill="none"/>' +
    wave(780, 26, '#eee') +
    wave(850, 26, '#eee'),
  lighthouse:
    sea(640) +
    '<path d="M1040 160-100-40V330Z" fill="#fafafa" opacity=".75"/>' +
    '<path d="M800 700q240-140 520 0l80 120H720Z" fill="#222"/>' +
    tower(1060, 660, 430) +
    wave(760, 30, '#f0f0f0') +
    wave(840, 30, '#f0f0f0'),
  clock:
    '<rect width="1600" height="900" fill="url(#sky)"/><path d="M0 700h1600v200H0Z" fill="#444"/><path d="M760 700h80V900h-80Z" fill="#111"/>' +
    dial(
      [800, 400],
      300,
      hand([800, 400], { length: 150, angle: -15, width: 30 }) +
        hand([800, 400], { length: 240, angle: -72, width: 16, ink: '#888' }) +
        hand([800, 400], { length: 250, angle: 60, width: 18 }),
    ),
  timer:
    '<rect width="1600" height="900" fill="url(#fog)"/><rect y="690" width="1600" height="210" fill="#777"/><path d="M800 150c210 0 310 250 310 380S980 760 800 760 490 660 490 530 590 150 800 150Z" fill="#222"/><path d="M492 560h616" stroke="#f2f2f2" stroke-width="14"/>' +
    Array.from(
      { length: 13 },
      (_, i) => `<path d="M${520 + i * 46} 580v${i % 3 ? 26 : 50}" stroke="#f2f2f2" stroke-width="8"/>`,
    ).join('') +
    '<path d="M800 500 770 560h60Z" fill="#f2f2f2"/><path d="M610 420c20-100 70-170 130-200" stroke="#ccc" stroke-width="18" fill="none"/>',
  cup: '<rect width="1600" height="900" fill="url(#fog)"/><rect y="660" width="1600" height="240" fill="#666"/><ellipse cx="780" cy="740" rx="430" ry="60" fill="#f0f0f0"/><path d="M480 400h560v120c0 140-110 220-280 220S480 660 480 520Z" fill="#222"/><ellipse cx="760" cy="400" rx="280" ry="56" fill="#eee"/><ellipse cx="760" cy="406" rx="240" ry="40" fill="#333"/><path d="M1040 440c150-30 150 180-30 190" stroke="#222" stroke-width="42" fill="none"/><g stroke="#8a8a8a" stroke-width="26" fill="none" stroke-linecap="round"><path d="M660 320q-60-70 0-130t0-120M800 320q-60-70 0-130t0-120M930 320q-60-70 0-130"/></g>',
  bench:
    '<rect width="1600" height="900" fill="url(#sky)"/><rect y="690" width="1600" height="210" fill="#777"/><g fill="#1b1b1b"><rect x="300" y="400" width="1000" height="34"/><rect x="300" y="460" width="1000" height="34"/><rect x="270" y="580" width="1060" height="44"/><rect x="380" y="400" width="34" height="380"/><rect x="1186" y="400" width="34" height="380"/></g>' +
    dial(
      [1390, 190],
      90,
      hand([1390, 190], { length: 50, angle: 120, width: 14 }) +
        hand([1390, 190], { length: 70, angle: -40, width: 9 }),
    ),
}

const gradient = (id: string, from: string, to: string) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`

/** A drawing in greys, 1600 × 900, as SVG. */
export const drawScene = (scene: Scene): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" viewBox="0 0 1600 900"><defs>${gradient('sky', '#5c5c5c', '#e8e8e8')}${gradient('sea', '#b9b9b9', '#1c1c1c')}${gradient('fog', '#a2a2a2', '#e2e2e2')}</defs>${drawings[scene]}</svg>`
