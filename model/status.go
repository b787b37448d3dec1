package model

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"omniscope"
)

// A StatusError is an endpoint's own answer that a call failed.
type StatusError struct {
	Status  int    // HTTP status
	Code    string // the endpoint's error code, such as context_length_exceeded
	Message string // the endpoint's words, at most a few lines of them
	Inside  bool   // it came inside an answer whose own status was 200
}

func (e *StatusError) Error() string {
	said := fmt.Sprintf("the endpoint answered %d", e.Status)
	if e.Inside && e.Status != http.StatusOK {
		said = fmt.Sprintf("the endpoint's answer has the error %d", e.Status)
	}
	if e.Code != "" {
		said += " (" + e.Code + ")"
	}
	return said + ": " + e.Message
}

// The words of endpoints, in small letters, code and message. The statuses that they come with differ from provider to provider.
var (
	// account is said of an account or key with which no call can succeed: no money, a key that is not valid, a suspension.
	account = regexp.MustCompile(`insufficient_(user_)?quota|exceeded_current_quota|arrearage|insufficient[ _-](account[ _-])?(balance|funds?|credits?)|` +
		`(balance|credits?|funds?)( is| are| has been| have been)? (too low|insufficient|negative|not enough|exhausted|used up|depleted)|not[ _]enough[ _](balance|credits?)|` +
		`out of (credits?|funds?|quota|money)|no (remaining|more) credits?|more credits|used all available credits|` +
		`quota( has been| is)? (exhausted|used up|depleted)|free allocated quota exceeded|free tier of the model has been exhausted|freetieronly|\blimit: 0(,|$)|` +
		`billing[ _](hard[ _]limit|not[ _]active|disabled)|billing .{0,20}not (enabled|active)|(spend|spending|billing) (limit|cap)|reached your .{0,30}usage limit|` +
		`payment required|please recharge|recharge your|top up your|unpaid (invoice|bill|balance)|overdue (payment|balance|invoice)|budget has been exceeded|exceededbudget|trial key|resource ?pack(age)?( is| has been)? exhausted|resourcepackexhausted|` +
		`total request limit reached|\bsetlimitexceeded|set inference limit|trial quota|(key|credit) limit exceeded|subscription (has )?expired|location is not supported|not (available|supported) in your (country|region)|` +
		`(account|organi[sz]ation|project|team|workspace)\b.{0,60}\b(suspended|deactivated|in arrears|not active|disabled|locked|flagged|banned|terminated)|accountoverdue|` +
		`余额不足|欠费|充值|` +
		`invalid[ _-]?api[ _-]?key|incorrect api key|api[ _-]key\b.{0,40}\b(not valid|invalid|expired|revoked|disabled|suspended|deactivated)|access token (is )?(invalid|expired)|` +
		`login fail|authentication (failed|fails)|no connected db`)

	// daily is said of limits that no wait of minutes helps against.
	daily = regexp.MustCompile(`per[ _-]?(day|week|month)\b|by[ _-]?day\b|\bdaily\b|\bweekly\b|\bmonthly\b|/ ?(day|month)\b|\b[rt]pd\b`)

	// noModel is said, with the status of a bad request, of a model that the endpoint does not have.
	noModel = regexp.MustCompile(`model_not_(found|exist)|model[ _]not[ _]exist|\bmodel:? (['\x22\x60][^'\x22\x60]+['\x22\x60] |[\w./:-]*[\d./:-][\w./:-]* )?(does not|doesn't) exist|not a valid model id|invalid model name|invalid model(:| ['\x22\x60])|` +
		`model identifier is invalid|unknown model|模型不存在`)

	// filtered is said of a question or an answer that a filter refuses. surelyFiltered is not said by a filter that is out of order.
	filtered = regexp.MustCompile(`content[_ -]?filter|content[_ -]?(policy|policies)|content management polic|requires moderation|moderation_blocked|by (a |the |our )?moderation|\bflagged\b|` +
		`data_?inspection_?failed|content exists risk|safety (system|filter|reason|polic|guideline)|safety_check|content safety|responsible_?ai|` +
		`sensitive (content|word|information|data|topic)|(input|output|text|image|video|audio|new)_?sensitive|sensitive_?(content|word)|` +
		`contains? sensitive|inappropriate|(usage|use-case|community) (polic|guideline|standard)|polic(y|ies) violation|high risk|content moderation|` +
		`blocked (by|for|due to) .{0,20}(safety|filter|polic|moderat)|violat\w* .{0,30}(polic|guideline)|prohibited[_ ]content|harmful content|unsafe content|risk ?control|(text|image|video|content) ?risk|` +
		`guardrail|jailbreak|(prompt|response|content|input|output) (was |has been |is )?blocked|prompt_blocked|censor|nsfw|hateful|hate speech|(sexual|sexually explicit|graphic) content|explicit (material|imagery)|敏感|不安全|违规|内容安全`)
	surelyFiltered = regexp.MustCompile(`new_sensitive|data_?inspection_?failed|content exists risk|responsible_?ai|content_policy_violation|prohibited_content|moderation_blocked`)

	// unknownField is said of a request with a field that the endpoint does not have, such as one for its filter.
	unknownField = regexp.MustCompile(`(unrecognized|unknown|unexpected|unsupported) (request )?(argument|parameter|field|keyword)|extra (inputs|fields) (are )?not permitted`)

	// lasting is said of requests that the endpoint will never take as they are, though some servers call that a failure of theirs.
	lasting = regexp.MustCompile(`allowed-local-media-path|please install|pip install|limit[-_]mm[-_]per[-_]prompt|may be provided in one prompt|trust[-_]request[-_]mm|mmproj|` +
		`not support|unsupported|n't support|no support for|context[ _](length|size)|maximum context|schema conversion|(parse|convert).{0,20}grammar|cannot identify image`)

	// outOfForm is said by llama.cpp's server, with 500, of a reply that was cut off before it had the form of the schema: the next
	// try is cut off as well.
	outOfForm = regexp.MustCompile(`output that does not match the expected`)

	// crowded is said, inside an answer with status 200, of too many calls. surelyCrowded is said with the status of a bad request as well.
	crowded       = regexp.MustCompile(`rate.?limit|too.?many.?requests|\b(qps|rpm|tpm)\b|request limit reached|throttl`)
	surelyCrowded = regexp.MustCompile(`rate.?limit.{0,20}exceed|exceed.{0,30}rate.?limit|too.?many.?requests|throttl`)
)

// accountCodes and filterCodes are error codes of providers that mean the same as the words: of Zhipu (docs.bigmodel.cn, error codes)
// and of MiniMax (1026 and 1027).
var (
	accountCodes = map[string]bool{"1110": true, "1111": true, "1112": true, "1113": true, "1304": true, "1308": true, "1309": true, "1310": true}
	filterCodes  = map[string]bool{"1301": true, "1026": true, "1027": true}
)

// longWait is the wait from which a limit that is counted by the day ends a run.
const longWait = 10 * time.Minute

// Kind returns what to do about the error: by its words where they are known, else by its status. wait is how long the
// endpoint asks to wait; 0 = it does not say.
func (e *StatusError) Kind(wait time.Duration) omniscope.Kind {
	says := e.words()
	switch {
	case accountCodes[e.Code] || account.MatchString(says):
		return omniscope.Denied
	case e.isDaily(says) && (wait == 0 || wait > longWait):
		return omniscope.Denied
	case e.isFiltered(says):
		return omniscope.Declined
	case e.isCrowd(says):
		return omniscope.Transient
	case e.isBadRequest() && noModel.MatchString(says):
		return omniscope.Denied
	case e.Status == http.StatusInternalServerError && outOfForm.MatchString(says):
		return omniscope.Malformed
	case e.Status >= 500 && lasting.MatchString(says):
		return omniscope.Invalid
	}
	return e.kindOfStatus()
}

// words are the error's code and message in small letters.
func (e *StatusError) words() string { return strings.ToLower(e.Code + " " + e.Message) }

// isBadRequest reports whether the status fits an error of the request itself.
func (e *StatusError) isBadRequest() bool {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusTooManyRequests:
		return false
	}
	return e.Status == http.StatusOK || e.Status >= 400 && e.Status < 500
}

// isCrowd reports whether there were too many calls, with the status of a bad request.
func (e *StatusError) isCrowd(says string) bool {
	return (e.Status == http.StatusBadRequest || e.Status == http.StatusForbidden) && surelyCrowded.MatchString(says)
}

// isDaily reports whether there were too many calls for a day or longer.
func (e *StatusError) isDaily(says string) bool {
	return e.Status < 500 && daily.MatchString(says) && (e.kindOfStatus() == omniscope.Transient || e.isCrowd(says))
}

// isFiltered reports whether a filter refused the question or the answer.
func (e *StatusError) isFiltered(says string) bool {
	if e.Status >= 500 {
		return surelyFiltered.MatchString(says)
	}
	return e.isBadRequest() && (filterCodes[e.Code] || filtered.MatchString(says) && !unknownField.MatchString(says))
}

func (e *StatusError) kindOfStatus() omniscope.Kind {
	switch e.Status {
	case http.StatusOK, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests, 499: // 499: nginx, Google's CANCELLED
		return omniscope.Transient
	case http.StatusPaymentRequired, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed:
		return omniscope.Denied
	}
	switch {
	case e.Status >= 500:
		return omniscope.Transient
	case e.Status < 400:
		return omniscope.Denied // it has moved
	}
	return omniscope.Invalid
}

// IsCrowded reports whether an error inside an answer describes a rate limit.
func (e *StatusError) IsCrowded() bool {
	return crowded.MatchString(e.words())
}

// RateLimited reports whether err is an endpoint asking for fewer calls.
func RateLimited(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Status == http.StatusTooManyRequests
}
