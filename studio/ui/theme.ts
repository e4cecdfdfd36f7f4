import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
  virtualColor,
} from '@mantine/core'
import mantine from './mantine.module.css'
import { PressButton } from './press-button.tsx'

const tenTimes = (hex: string): MantineColorsTuple => [hex, hex, hex, hex, hex, hex, hex, hex, hex, hex]
/** @param list ten colours, from the lightest to the darkest */
function tuple(list: string): MantineColorsTuple {
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = '', j = ''] = list.split(' ')
  return [a, b, c, d, e, f, g, h, i, j]
}

const serif = '"Newsreader", "Iowan Old Style", Charter, Georgia, serif'
const shadow =
  '0 0 0 1px var(--tirage-edge), 0 2px 4px var(--tirage-shade-near), 0 12px 32px -8px var(--tirage-shade-far)'

/** The list under a field. */
const list = { dropdown: mantine.floating, option: mantine.option }

/** The height of a control in pixels, by its Mantine size. Bars use `xs`, forms `sm`, the sign-in pages `lg`. */
const controlHeight: Record<string, string> = { xs: '28px', sm: '32px', md: '36px', lg: '46px', xl: '50px' }
const heightOf = (size: unknown) => controlHeight[String(size ?? 'sm')] ?? '32px'

const inputVars = (_theme: unknown, props: { size?: unknown }) => ({
  wrapper: { '--input-height': heightOf(props.size), '--input-bd': 'var(--tirage-field)' },
})

/** Blue is for actions, red for errors. Shade 7 is the colour in light mode, shade 4 in dark mode. */
export const theme: MantineThemeOverride = createTheme({
  colors: {
    gray: tuple('#F4F5F4 #ECEEED #E2E5E4 #CBD0CF #A9B0B1 #858D92 #626A70 #454C52 #2B3136 #15191C'),
    dark: tuple('#ECEFEF #B8BFC4 #949CA2 #7C858B #3C4348 #292E32 #1F2327 #16191C #101315 #0C0E10'),
    bleu: tuple('#EAF0FD #CFDFFF #B9D0FF #A2C1FF #8CB2FF #638CE5 #3F68CB #2148B5 #1A3991 #132A6E'),
    rouge: tuple('#FDEEEC #FFD4CD #FFBDB4 #FFA59A #FF8D80 #E46A5D #CA473C #B3231D #8E1B16 #6A1410'),
    vert: tuple('#E8F4EE #C6E8D6 #A8DDC2 #89D2AE #66C79A #4AA47C #308461 #17694A #11523A #0C3D2B'),
    ocre: tuple('#FCF3DA #F6E3B6 #F1D597 #ECC675 #E6B84F #C09235 #9D6F1C #7F5200 #644100 #4A3000'),
    encreClair: tenTimes('#15191C'),
    encreSombre: tenTimes('#ECEFEF'),
    encre: virtualColor({ name: 'encre', light: 'encreClair', dark: 'encreSombre' }),
  },
  primaryColor: 'bleu',
  primaryShade: { light: 7, dark: 4 },
  white: '#FFFFFF',
  black: '#15191C',
  autoContrast: true,
  luminanceThreshold: 0.3,
  fontFamily: '"Radio Canada", system-ui, sans-serif',
  fontFamilyMonospace: '"Geist Mono", ui-monospace, Menlo, monospace',
  headings: {
    fontFamily: serif,
    fontWeight: '450',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '32px', lineHeight: '1.1' },
      h2: { fontSize: '20px', lineHeight: '1.2', fontWeight: '500' },
      h3: { fontSize: '16px', lineHeight: '1.25', fontWeight: '500' },
      h4: { fontSize: '14px', lineHeight: '1.3', fontWeight: '600' },
      h5: { fontSize: '13px', lineHeight: '1.3', fontWeight: '600' },
      h6: { fontSize: '12px', lineHeight: '1.4', fontWeight: '600' },
    },
  },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.4', xl: '1.2' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '20px', xl: '32px' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  shadows: { xs: 'none', sm: 'none', md: shadow, lg: shadow, xl: shadow },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSmoothing: true,
  components: {
    AppShell: { defaultProps: { padding: 0, layout: 'alt' } },
    NavLink: { defaultProps: { variant: 'subtle' }, classNames: { root: mantine.navLink } },
    // What somebody typed stays, and is said to be wrong: another number than theirs would be saved without a word.
    NumberInput: { defaultProps: { clampBehavior: 'none' } },
    Button: {
      defaultProps: { variant: 'default', size: 'sm', component: PressButton },
      classNames: { root: mantine.button, label: mantine.buttonLabel },
      vars: (_theme: unknown, { size, variant, color }: { size?: unknown; variant?: unknown; color?: unknown }) => ({
        root: {
          '--button-height': heightOf(size),
          // Mantine chooses the colour of the words for light mode alone.
          ...(variant === 'filled' && !color && { '--button-color': 'var(--mantine-primary-color-contrast)' }),
        },
      }),
    },
    ActionIcon: {
      defaultProps: { variant: 'default', size: 'sm', component: PressButton },
      classNames: { root: mantine.actionIcon },
      vars: (_theme: unknown, props: { size?: unknown }) => ({ root: { '--ai-size': heightOf(props.size) } }),
    },
    PasswordInput: { vars: () => ({ root: { '--psi-icon-size': '17px' } }) },
    Input: { classNames: { input: mantine.input }, vars: inputVars },
    // Most fields are required, so what is optional says so in its label instead.
    InputWrapper: {
      defaultProps: { withAsterisk: false },
      classNames: { label: mantine.label, description: mantine.description, error: mantine.error },
    },
    Checkbox: { defaultProps: { size: 'xs', color: 'bleu' }, classNames: { input: mantine.tick } },
    CheckboxIndicator: { classNames: { indicator: mantine.tick } },
    Radio: { defaultProps: { size: 'xs', color: 'bleu' }, classNames: { radio: mantine.tick } },
    Switch: { defaultProps: { size: 'xs', color: 'bleu' }, classNames: { track: mantine.track } },
    // As of a button: its words are white in both modes without it.
    Chip: { vars: () => ({ root: { '--chip-color': 'var(--mantine-primary-color-contrast)' } }) },
    SegmentedControl: {
      defaultProps: { size: 'xs', radius: 'sm', color: 'encre', withItemsBorders: true },
      classNames: { root: mantine.segments, indicator: mantine.segment, label: mantine.segmentLabel },
    },
    Tabs: { classNames: { list: mantine.tabs, tab: mantine.tab } },
    Table: {
      defaultProps: { verticalSpacing: 0, highlightOnHover: true, tabularNums: true },
      classNames: { table: mantine.table, th: mantine.th, td: mantine.td },
    },
    Badge: {
      defaultProps: { variant: 'light', radius: 'xs', tt: 'none', fw: 500 },
      classNames: { root: mantine.badge },
    },
    // What is no colour stays, so that the form can say so.
    ColorInput: { defaultProps: { fixOnBlur: false } },
    Menu: {
      defaultProps: { shadow: 'md', radius: 'md', withInitialFocusPlaceholder: false },
      classNames: { dropdown: mantine.floating, item: mantine.menuItem, itemLabel: mantine.menuItemLabel },
    },
    Popover: { defaultProps: { shadow: 'md', radius: 'md' }, classNames: { dropdown: mantine.floating } },
    Combobox: { defaultProps: { shadow: 'md', radius: 'md' } },
    Select: { classNames: list },
    MultiSelect: { classNames: list },
    Drawer: {
      defaultProps: {
        position: 'right',
        size: 500,
        radius: 0,
        overlayProps: { color: '#15191C', backgroundOpacity: 0.34 },
      },
      classNames: { content: mantine.dialog },
    },
    Modal: {
      defaultProps: { radius: 'md', centered: true, overlayProps: { color: '#15191C', backgroundOpacity: 0.34 } },
      classNames: {
        title: mantine.modalTitle,
        content: `${mantine.floating} ${mantine.dialog}`,
        header: mantine.lifted,
        body: mantine.modalBody,
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, color: 'encre', fz: 12 } },
    Notification: { defaultProps: { radius: 'md' }, classNames: { root: mantine.notice } },
    Alert: {
      defaultProps: { radius: 0, variant: 'light' },
      classNames: { root: mantine.alert, title: mantine.alertTitle, body: mantine.alertBody },
    },
    Anchor: { defaultProps: { underline: 'hover', fw: 500, fz: 'sm' } },
    Kbd: { defaultProps: { size: 'xs' }, classNames: { root: mantine.kbd } },
    Divider: { classNames: { root: mantine.divider } },
    Title: { classNames: { root: mantine.title } },
  },
})

/** Background and text colours of notices and tags. */
const washes = Object.fromEntries(
  [
    ['bleu', 'blue'],
    ['rouge', 'red'],
    ['vert', 'green'],
    ['ocre', 'ochre'],
  ].flatMap(([color, own]) => [
    [`--mantine-color-${color}-light`, `var(--tirage-${own}-wash)`],
    [`--mantine-color-${color}-light-hover`, `var(--tirage-${own}-wash)`],
    [`--mantine-color-${color}-light-color`, `var(--tirage-${own})`],
  ]),
)

/** The design tokens as custom properties, for both colour schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { '--tirage-serif': serif },
  light: {
    ...washes,
    '--mantine-color-body': '#FFFFFF',
    '--mantine-color-text': '#15191C',
    '--mantine-color-dimmed': '#626A70',
    '--mantine-color-default-border': 'var(--mantine-color-gray-3)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-rouge-7)',
    '--mantine-color-disabled-color': 'var(--tirage-ink2)',
    '--mantine-color-anchor': '#2148B5',
    '--mantine-color-default': '#FFFFFF',
    '--mantine-color-default-hover': '#F0F2F1',
    ...tokens({
      canvas: '#F4F5F4',
      surface: '#FFFFFF',
      fill: '#ECEEED',
      raised: '#FFFFFF',
      hover: '#F0F2F1',
      line: '#E2E5E4',
      line2: '#CBD0CF',
      field: '#858D92',
      ink: '#15191C',
      ink2: '#454C52',
      ink3: '#626A70',
      onink: '#FFFFFF',
      blue: '#2148B5',
      red: '#B3231D',
      green: '#17694A',
      ochre: '#7F5200',
      'blue-wash': '#EAF0FD',
      'red-wash': '#FDEEEC',
      'green-wash': '#E8F4EE',
      'ochre-wash': '#FCF3DA',
      v1: '#2148B5',
      v2: '#BD7809',
      v3: '#479E93',
      v4: '#943A61',
      v5: '#272B35',
      edge: 'rgba(21,25,28,.07)',
      'shade-near': 'rgba(21,25,28,.05)',
      'shade-far': 'rgba(21,25,28,.18)',
    }),
  },
  dark: {
    ...washes,
    '--mantine-color-body': '#16191C',
    '--mantine-color-text': '#ECEFEF',
    '--mantine-color-dimmed': '#949CA2',
    '--mantine-color-default-border': 'var(--mantine-color-dark-4)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-rouge-4)',
    '--mantine-color-disabled-color': 'var(--tirage-ink2)',
    '--mantine-color-anchor': '#8CB2FF',
    '--mantine-color-default': 'var(--mantine-color-dark-7)',
    '--mantine-color-default-hover': '#1E2226',
    ...tokens({
      canvas: '#101315',
      surface: '#16191C',
      fill: '#24292D',
      raised: '#1F2327',
      hover: '#1E2226',
      line: '#292E32',
      line2: '#3C4348',
      field: '#7C858B',
      ink: '#ECEFEF',
      ink2: '#B8BFC4',
      ink3: '#949CA2',
      onink: '#121517',
      blue: '#8CB2FF',
      red: '#FF8D80',
      green: '#66C79A',
      ochre: '#E6B84F',
      'blue-wash': '#1B2740',
      'red-wash': '#3A1C1A',
      'green-wash': '#15302A',
      'ochre-wash': '#2C2410',
      v1: '#6E9BFF',
      v2: '#D99A34',
      v3: '#74DCCB',
      v4: '#B24D7C',
      v5: '#F1F3F3',
      edge: 'rgba(255,255,255,.08)',
      'shade-near': 'rgba(0,0,0,.4)',
      'shade-far': 'rgba(0,0,0,.7)',
    }),
  },
})

function tokens(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`--tirage-${name}`, value]))
}
