package letters

// Spanish, Portuguese, Vietnamese, Indonesian, Arabic and Hindi. The searches for English, German, French, Italian, Chinese,
// Japanese and Korean are in places.go. Words with letters outside ASCII are spelled as in a reply: a search ignores case in ASCII
// only.

// announcementAbroad comes before an answer that is meant as one, with the article after it.
var announcementAbroad = search{
	pattern(`(?:^|[^\pL])(?:` +
		`(?:(?i:resposta|alternativa|gabarito)|[Oo]pção)(?:\s+(?i:correc?ta|certa|final|exata))*(?:\s*[:=]|\s+(?:é|É|es|seria)\b|\s+[éÉ])\s*[:]?(?:\s*\b[ao]\s)?` +
		`|(?i:(?:respuesta|opción)(?:\s+(?:correcta|final|exacta))*\s+(?:es|sería))\s*[:]?\s+(?i:la|el)\s` +
		`|(?i:(?:jawaban(?:nya)?|pilihan|opsi)(?:\s+(?:yang\s+)?(?:benar|tepat|terbaik|akhir|saya))*\s*(?:adalah|ialah|yaitu|[:=]))|(?i:saya (?:memilih|pilih))\s` +
		`|(?:[Đđ]áp án|[Cc]âu trả lời|[Tt]rả lời|[Ll]ựa chọn|[Pp]hương án)(?:\s+(?:đúng|đúng nhất|chính xác|chính xác nhất|cuối cùng|phù hợp nhất|của tôi))*\s*(?:là|[:=])` +
		`|(?:[Tt]ôi )?[Cc]họn(?: đáp án| phương án)?\s` +
		`|(?:الإجابة|الاجابة|الجواب|إجابتي|الخيار|الاختيار)(?:\s+(?:الصحيحة|الصحيح|النهائية|النهائي|الأفضل|الأنسب))*\s*(?:هي|هو|[:=])|(?:أختار|اختار|نختار)\s` +
		`|(?:सही\s+|अंतिम\s+|मेरा\s+)?(?:उत्तर|जवाब|विकल्प)(?:\s*[:=]|\s+(?:है|होगा)\s*[:]?|\s)` +
		`)`), `.,;()"!?`,
	[]string{"resposta", "alternativa", "gabarito", "pção", "respuesta", "opci", "jawaban", "pilihan", "opsi", "saya ", "áp án", "rả lời", "ựa chọn", "hương án", "họn", "جابة", "الجواب", "إجابتي", "الخيار", "الاختيار",
		"ختار", "उत्तर", "जवाब", "विकल्प"},
}

// verdictsAbroad follow a letter that is preferred.
var verdictsAbroad = search{
	pattern(`(?:^|[\s("'])[("']*([A-Z])[)"'.]*\s+(?:` +
		`(?i:es|está|è|é)\s+(?i:(?:la|a|o|el)\s+)?(?:(?i:respuesta|opción|resposta|opção|alternativa)\s+)?(?i:correct[ao]|corret[ao]|cert[ao])\b` +
		`|(?:là\s+(?:đáp án\s+|câu trả lời\s+|phương án\s+)?)?(?:đúng|chính xác)` +
		`|(?i:(?:adalah\s+)?(?:jawaban\s+|pilihan\s+)?(?:yang\s+)?(?:benar|tepat))\b` +
		`|(?:(?:هو|هي)\s+(?:الإجابة\s+|الخيار\s+|الجواب\s+)?)?(?:الصحيحة|الصحيح|صحيحة|صحيح)` +
		`|सही)`), `,;:!?`,
	[]string{"correct", "corret", "cert", "đúng", "chính xác", "benar", "tepat", "صحيح", "सही"},
}
