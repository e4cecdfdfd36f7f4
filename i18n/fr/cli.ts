import type en from '../en/cli.ts'

export default {} satisfies typeof en
