/**
 * The letters of Cyrillic, Greek, Armenian, Cherokee, Coptic and Lisu that look like Latin ones (Unicode TR39,
 * `confusables.txt`). The whole table is too large for the first paint; a test compares the two.
 */
export const latinLookAlikes: ReadonlySet<string> = new Set(
  'ͿΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγινορσυϜϨϳϺЅІЈАВЕЗКМНОРСТУХЫЬЮабгеорсухѕіјѡѴѵґҮүһҽӀӏӔӕӠԁԌԛԜԝՍՏՕա' +
    'գզհոռսցքօᎠᎡᎢᎤᎥᎩᎪᎫᎬᎮᎳᎷᎻᎽᏀᏂᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏮᏳᏴᴦⲅⲎⲒⲔⲘⲚⲞⲟⲢⲣⲤⲥⲦⲨⲬⲺⳆⳊⳌⳐⳒꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦ' +
    'ꓧꓪꓫꓬꓮꓰꓲꓳꓴꓸꓹꓺꓻꓽꙄꙇꚘꚙꭵꮁꮃꮓꮩꮪꮯ',
);
