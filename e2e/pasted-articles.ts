/** A French article as Word for Windows puts it on the clipboard: its styles, its lists made of paragraphs, its table, footnotes, tracked changes and images. */
export const wordArticle = (image: string): string => `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"
xmlns:m="http://schemas.microsoft.com/office/2004/12/omml" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=Generator content="Microsoft Word 15">
<link rel=File-List href="file:///C:/Users/INES/AppData/Local/Temp/msohtmlclip1/01/clip_filelist.xml">
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View><w:Zoom>0</w:Zoom></w:WordDocument></xml><![endif]-->
<style><!--
 /* Style Definitions */
 p.MsoNormal, li.MsoNormal {mso-style-unhide:no; margin:0cm; font-size:12.0pt; font-family:"Aptos",sans-serif;}
 @list l0:level1 {mso-level-number-format:bullet; mso-level-text:\\F0B7;}
 @page WordSection1 {size:595.3pt 841.9pt; margin:70.85pt;}
--></style>
<!--[if gte mso 10]><style>table.MsoNormalTable {mso-style-name:"Tableau Normal";}</style><![endif]-->
</head>
<body lang=FR link="#0563C1" vlink="#954F72" style='tab-interval:35.4pt;word-wrap:break-word'>
<!--StartFragment-->
<p class=MsoTitle><span style='font-size:28.0pt;mso-fareast-font-family:"Times New Roman"'>Le port qui attend<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoNormal style='text-align:justify;line-height:150%'><span lang=FR style='font-family:"Garamond",serif;color:black;
mso-themecolor:text1'>Deux fois par jour, le port de <b style='mso-bidi-font-weight:normal'>Ménez-Du</b> se vide de sa mer. «&nbsp;On
attend&nbsp;», dit Marianne&nbsp;: «&nbsp;c’est tout un métier&nbsp;!&nbsp;» Qui d’autre sait attendre&nbsp;?</span><a style='mso-footnote-id:
ftn1' href="#_ftn1" name="_ftnref1" title=""><span class=MsoFootnoteReference><span lang=FR style='mso-special-character:footnote'><![if !supportFootnotes]><span
class=MsoFootnoteReference><span lang=FR style='font-size:12.0pt;line-height:115%;font-family:"Aptos",sans-serif;mso-ansi-language:FR'>[1]</span></span><![endif]></span></span></a><span
lang=FR> Le <i>cahier de marées</i> le dit, l’encre<del cite="mailto:Maël" datetime="2026-11-20T10:00"> bleue</del><ins cite="mailto:Maël" datetime="2026-11-20T10:00"> noire</ins> aussi.<o:p></o:p></span></p>
<h2 style='mso-list:none'><span lang=FR style='mso-fareast-font-family:"Times New Roman"'>Quatre mètres<o:p></o:p></span></h2>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span
lang=FR>les amarres&nbsp;:<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span
style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]><span
lang=FR>la pointe avant,<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:108.0pt;text-indent:-18.0pt;mso-list:l0 level3 lfo1'><![if !supportLists]><span
style='font-family:Wingdings'><span style='mso-list:Ignore'>§<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span></span><![endif]><span
lang=FR>doublée l’hiver&nbsp;;<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span
lang=FR>les défenses.<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span
style='mso-bidi-font-family:Aptos'><span style='mso-list:Ignore'>1)<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]><span
lang=FR>Sonder.<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span><span
style='mso-list:Ignore'>2)<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]><span lang=FR>Attendre<a
style='mso-footnote-id:ftn2' href="#_ftn2" name="_ftnref2" title=""><span class=MsoFootnoteReference><![if !supportFootnotes]>[2]<![endif]></span></a>.<o:p></o:p></span></p>
<p class=MsoQuote><span lang=FR>«&nbsp;L’encre serait de l’arrogance.&nbsp;»<o:p></o:p></span></p>
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt;mso-yfti-tbllook:1184'>
 <tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes'>
  <td width=201 valign=top style='width:150.8pt;border:solid windowtext 1.0pt;padding:0cm 5.4pt 0cm 5.4pt'><p class=MsoNormal style='margin-bottom:0cm;line-height:normal'><b><span lang=FR>Jour<o:p></o:p></span></b></p></td>
  <td width=201 valign=top style='width:150.8pt;border:solid windowtext 1.0pt'><p class=MsoNormal align=right style='text-align:right'><b><span lang=FR>Coefficient<o:p></o:p></span></b></p></td>
 </tr>
 <tr style='mso-yfti-irow:1;mso-yfti-lastrow:yes'>
  <td width=201 valign=top style='width:150.8pt;border:solid windowtext 1.0pt'><p class=MsoNormal><span lang=FR>Samedi 28<o:p></o:p></span></p></td>
  <td width=201 valign=top style='width:150.8pt;border:solid windowtext 1.0pt'><p class=MsoNormal align=right style='text-align:right'><span lang=FR>104<o:p></o:p></span></p></td>
 </tr>
</table>
<p class=MsoNormal><span lang=FR style='mso-no-proof:yes'><!--[if gte vml 1]><v:shapetype id="_x0000_t75" coordsize="21600,21600"></v:shapetype><v:shape id="Image_x0020_1" style='width:453pt;height:255pt'><v:imagedata src="file:///C:/Users/INES/AppData/Local/Temp/msohtmlclip1/01/clip_image001.jpg" o:title="port"/></v:shape><![endif]--><![if !vml]><img
width=604 height=340 src="file:///C:/Users/INES/AppData/Local/Temp/msohtmlclip1/01/clip_image002.jpg" v:shapes="Image_x0020_1"><![endif]></span><span lang=FR><o:p></o:p></span></p>
<p class=MsoNormal><img width=80 height=60 src="${image}" alt="Les bateaux à l’échouage" v:shapes="Image_x0020_2"></p>
<p class=MsoCaption><span lang=FR>Figure <!--[if supportFields]><span style='mso-element:field-begin'></span> SEQ Figure <![endif]-->1. Les bateaux à l’échouage<o:p></o:p></span></p>
<p class=MsoNormal><span lang=FR>La suite est <a href="https://port.example/menez-du?x=1&amp;y=2"><span style='color:#0563C1'>sur le site du port</span></a>.<a style='mso-comment-reference:MQ_1'></a><span class=MsoCommentReference><a href="#_msocom_1">[MQ1]</a></span><o:p></o:p></span></p>
<div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1 width="33%"><![endif]>
<div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a style='mso-footnote-id:ftn1' href="#_ftnref1" name="_ftn1" title=""><span class=MsoFootnoteReference><span style='mso-special-character:footnote'><![if !supportFootnotes]><span class=MsoFootnoteReference>[1]</span><![endif]></span></span></a><span lang=FR> Marée de vive-eau, coefficient 104.<o:p></o:p></span></p></div>
<div style='mso-element:footnote' id=ftn2><p class=MsoFootnoteText><a style='mso-footnote-id:ftn2' href="#_ftnref2" name="_ftn2" title=""><span class=MsoFootnoteReference>[2]</span></a><span lang=FR> Six heures, au moins.<o:p></o:p></span></p></div>
</div>
<div style='mso-element:comment-list'><div style='mso-element:comment'><p class=MsoCommentText>À vérifier avant envoi.</p></div></div>
<!--EndFragment-->
</body></html>`

const docsText =
  'font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre;white-space:pre-wrap;'
const docsSpan = (text: string, style = docsText) => `<span style="${style}">${text}</span>`
const docsItem = (text: string, level: number, kind = 'disc') =>
  `<li dir="ltr" style="list-style-type:${kind};${docsText}" aria-level="${level}"><p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;" role="presentation">${docsSpan(text)}</p></li>`

/** The same kind of article as Google Docs puts it on the clipboard: a bold element that is not bold, lists in lists without an item, and all styles on spans. */
export const docsArticle = (image: string): string =>
  `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5c1f4d7e-7fff-8a3b"><h2 dir="ltr" style="line-height:1.38;margin-top:18pt;margin-bottom:6pt;">${docsSpan('Six heures plus tard', docsText.replace('11pt', '16pt'))}</h2><p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">${docsSpan('La mer revient ')}${docsSpan('par les bords', docsText.replace('weight:400', 'weight:700'))}${docsSpan(', comme une ')}${docsSpan('bonne idée', docsText.replace('font-style:normal', 'font-style:italic'))}${docsSpan(' ; « elle ne frappe pas »')}${docsSpan('1', docsText.replace('vertical-align:baseline', 'vertical-align:super').replace('11pt', '0.6em'))}${docsSpan('.')}</p><br /><p dir="ltr" style="line-height:1.38;"><a href="https://www.google.com/url?q=https://marees.example/table&amp;sa=D&amp;source=editors" style="text-decoration:none;">${docsSpan('La table', docsText.replace('color:#000000', 'color:#1155cc').replace('text-decoration:none', 'text-decoration:underline'))}</a>${docsSpan(' dit le reste.')}</p><ol style="margin-top:0;margin-bottom:0;padding-inline-start:48px;">${docsItem('Le quai', 1, 'decimal')}<ol style="margin-top:0;">${docsItem('la date gravée', 2, 'lower-alpha')}<ul>${docsItem('1871', 3, 'square')}</ul></ol>${docsItem('La cloche', 1, 'decimal')}</ol><p dir="ltr"><hr /></p><div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse;"><colgroup><col width="301" /><col width="301" /></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid #000000 1pt;padding:5pt;"><p dir="ltr">${docsSpan('Heure', docsText.replace('weight:400', 'weight:700'))}</p></td><td style="padding:5pt;"><p dir="ltr">${docsSpan('Hauteur', docsText.replace('weight:400', 'weight:700'))}</p></td></tr><tr style="height:0pt"><td style="padding:5pt;"><p dir="ltr">${docsSpan('16 h 30')}</p></td><td style="padding:5pt;"><p dir="ltr">${docsSpan('0,9 m')}</p><br /></td></tr></tbody></table></div><br /><p dir="ltr">${docsSpan(`<span style="border:none;display:inline-block;overflow:hidden;width:602px;height:401px;"><img src="${image}" width="602" height="401" style="margin-left:0px;margin-top:0px;" /></span>`)}</p><p dir="ltr">${docsSpan('Après l’image.')}</p></b><br class="Apple-interchange-newline">`
