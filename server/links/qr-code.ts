/**
 * The QR code of an address (ISO/IEC 18004), black on white with a quiet zone of four modules, and with the error correction M: it is read with 15 %
 * of it covered.
 *
 * @param pixels of a side; an SVG has none
 */
export async function qrCode(address: string, format: 'svg' | 'png', pixels: number): Promise<Buffer> {
  // Loaded when it is needed: few processes ever draw one.
  const { default: QRCode } = await import('qrcode')
  const options = { errorCorrectionLevel: 'M', margin: 4 } as const
  if (format === 'png') return QRCode.toBuffer(address, { ...options, type: 'png', width: pixels })
  return Buffer.from(await QRCode.toString(address, { ...options, type: 'svg' }))
}
